// layout.h - the records in which numbers go to the page, each written once.
//
// A record is a struct of doubles, made from its list of fields: ONE(name) is a number, MANY(name,
// n) are n of them. layout.c makes a table of the same lists, and of that web/src/layout.js, by
// which the page reads them.
#ifndef WASM_LAYOUT_H
#define WASM_LAYOUT_H

// What the page shows of the world as a whole; the fields of the certificate follow it, one number
// each, in the order of rg_certificate_field.
#define PAGE_STATE_FIELDS(ONE, MANY)                                                               \
  ONE(time)      /* [s] */                                                                         \
  ONE(steps)     /* made so far */                                                                 \
  ONE(kinetic)   /* [J] */                                                                         \
  ONE(potential) /* [J] */                                                                         \
  ONE(islands)   /* of the last step */                                                            \
  ONE(dimension) /* 3 or 2 */                                                                      \
  ONE(step)      /* [s] h */                                                                       \
  ONE(meanMass)  /* [kg] of dynamic bodies */                                                      \
  ONE(gravity)   /* [m/s2] */

// A body, by the index of its id.
#define PAGE_BODY_FIELDS(ONE, MANY)                                                                \
  MANY(position, 3)    /* [m] of the body frame; these seven are what page_place reads */          \
  MANY(orientation, 4) /* w x y z */                                                               \
  ONE(kind)            /* BodyKind; -1: there is no such body */                                   \
  ONE(island)          /* in the last step; -1: none */

// A shape; its corners follow it, three numbers each [m].
#define PAGE_SHAPE_FIELDS(ONE, MANY)                                                               \
  ONE(body)            /* index of its id */                                                       \
  ONE(kind)            /* ShapeKind */                                                             \
  MANY(position, 3)    /* [m] in the body frame */                                                 \
  MANY(orientation, 4) /* w x y z */                                                               \
  ONE(radius)          /* [m] */                                                                   \
  ONE(halfLength)      /* [m] */                                                                   \
  MANY(half, 3)        /* [m] */                                                                   \
  ONE(extent)          /* [m]; infinite for half-spaces */                                         \
  ONE(corners)         /* how many follow */

#define PAGE_CONTACT_FIELDS(ONE, MANY)                                                             \
  MANY(point, 3)   /* [m] */                                                                       \
  MANY(normal, 3)  /* towards A */                                                                 \
  ONE(gap)         /* [m] */                                                                       \
  MANY(impulse, 3) /* [N s] on A */                                                                \
  ONE(mu)          /* [-] */                                                                       \
  ONE(bodyA)       /* indices of their ids */                                                      \
  ONE(bodyB)

#define PAGE_JOINT_FIELDS(ONE, MANY)                                                               \
  ONE(kind)                                                                                        \
  MANY(position, 3)    /* [m] of the frame on A */                                                 \
  MANY(orientation, 4) /* w x y z */                                                               \
  MANY(other, 3)       /* [m] origin of the frame on B */                                          \
  ONE(error)           /* [m] */                                                                   \
  ONE(force)           /* [N] size of the reaction */                                              \
  ONE(bodyA)           /* indices of their ids; -1: the ground */                                  \
  ONE(bodyB)                                                                                       \
  ONE(torque)         /* [N m] size of the reaction's */                                           \
  ONE(axes)           /* free ones; the following are of these */                                  \
  MANY(angle, 4)      /* 1: the coordinate is an angle */                                          \
  MANY(coordinate, 4) /* [m] or [rad] */                                                           \
  MANY(rate, 4)       /* [m/s] or [rad/s] */                                                       \
  MANY(along, 4)      /* [N] or [N m] on B along the axis */

// How a body's mass lies.
#define PAGE_MASS_FIELDS(ONE, MANY)                                                                \
  ONE(mass)       /* [kg]; 0: it is not dynamic */                                                 \
  MANY(center, 3) /* [m] in the body frame */

// A body that is looked at closely.
#define PAGE_INSPECT_FIELDS(ONE, MANY)                                                             \
  ONE(mass)             /* [kg]; 0: it is not dynamic */                                           \
  MANY(velocity, 3)     /* [m/s] of the centre of mass */                                          \
  MANY(spin, 3)         /* [rad/s] */                                                              \
  MANY(contactForce, 3) /* [N] sum of all contacts, mean over the last step */

// Box around a shape; zeros for half-spaces.
#define PAGE_BOUNDS_FIELDS(ONE, MANY)                                                              \
  MANY(lower, 3) /* [m] */                                                                         \
  MANY(upper, 3) /* [m] */

#define PAGE_FORCE_FIELDS(ONE, MANY)                                                               \
  ONE(kind)     /* ForceKind; -1: there is nothing to draw */                                      \
  MANY(from, 3) /* [m] end of a spring on the body; place of an attractor */                       \
  MANY(to, 3)   /* [m] end of a spring on the other */                                             \
  ONE(strength) /* [N] of an attractor */

#define PAGE_ONE(name) double name;
#define PAGE_MANY(name, n) double name[n];
#define PAGE_RECORD(type, fields)                                                                  \
  typedef struct type {                                                                            \
    fields(PAGE_ONE, PAGE_MANY)                                                                    \
  } type
PAGE_RECORD(PageState, PAGE_STATE_FIELDS);
PAGE_RECORD(PageBody, PAGE_BODY_FIELDS);
PAGE_RECORD(PageShape, PAGE_SHAPE_FIELDS);
PAGE_RECORD(PageContact, PAGE_CONTACT_FIELDS);
PAGE_RECORD(PageJoint, PAGE_JOINT_FIELDS);
PAGE_RECORD(PageBounds, PAGE_BOUNDS_FIELDS);
PAGE_RECORD(PageForce, PAGE_FORCE_FIELDS);
PAGE_RECORD(PageMass, PAGE_MASS_FIELDS);
PAGE_RECORD(PageInspect, PAGE_INSPECT_FIELDS);

#endif
