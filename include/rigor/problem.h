// problem.h - the discrete contact problem of one step, as a thing one can hold.
//
// Unknowns: velocities v (6 numbers per body: linear, angular, world axes), row impulses lambda,
// contact impulses r (4 numbers per contact: normal, tangent, tangent, torsion).
//
//     M (v - v_free) = G' lambda + H r
//     row:      w = G v + bias,  lower <= lambda <= upper,
//               w = 0 where lambda is between its bounds, w >= 0 at the lower and w <= 0 at the
//               upper one. A soft row has w = G v + bias + compliance lambda
//     contact:  u = H' v + bias,   r in K,   u + mu |u_T|_E n in K*,   both perpendicular (exact
//     Coulomb)
//
// The cone of a contact is K = { r : |(r_t/e_t, r_o/e_o, r_tau/e_tau)| <= mu r_n }; its section is
// a disk (e_t = e_o = 1, e_tau = 0), an ellipsoid, or a polygon inside or outside the disk.
// Components with a zero axis carry no impulse. |u_T|_E = |(e_t u_t, e_o u_o, e_tau u_tau)| is the
// dual norm. For a polygon the law is maximum dissipation over the section: -u_T lies in the normal
// cone of the section mu r_n P at r_T.
//
// The local form has no bodies: (u, w) = W (r, lambda) + bias, with the matrix W given
// (rgProblem.local) and the same laws of contacts and rows. It is how problems of other codes come,
// and with one number per contact and no rows it is the linear complementarity problem 0 <= r, W r
// + bias >= 0, both perpendicular. W need be neither symmetric nor regular.
//
// A problem comes from a world's last step (rg_world_island), from a file (rg_problem_read), or is
// made by hand. A ball of 2 kg that would fall through the ground with 1 m/s:
//
//     rgProblemBody ball = {.inverse_mass = 0.5, .v_free = {.linear = {0, 0, -1}}};
//     rgProblemContact touch = {.body_a = 0, .body_b = -1, .n = {0, 0, 1}, .t = {1, 0, 0},
//                               .o = {0, 1, 0}, .cone = RG_CONE_DISK, .mu = 0.5};
//     rgProblem problem = {.dimension = 3, .body_count = 1, .contact_count = 1,
//                          .bodies = &ball, .contacts = &touch};
//
// solver.h shows how to solve it: the answer is r = (2, 0, 0, 0) [N s].
#ifndef RIGOR_PROBLEM_H
#define RIGOR_PROBLEM_H

#include "vec.h"

#ifdef __cplusplus
extern "C" {
#endif

// The law of friction of a contact: the section of its cone.
typedef enum rgConeKind {
  RG_CONE_FRICTIONLESS, // r_T = 0
  RG_CONE_DISK,         // exact, isotropic; e_* are not read
  RG_CONE_ELLIPSOID,    // exact, with axes e_t, e_o and torsion e_tau
  // Polygons (Renouf et al. 2005, eq. 31 and 26):
  RG_CONE_INNER, // `facets` corners on the disk, the first on the t axis
  RG_CONE_OUTER, // `facets` sides that touch the disk, the first facing the t axis
  RG_CONE_KIND_COUNT
} rgConeKind;
// "frictionless", "disk", ...; NULL past the end.
RG_API const char* rg_cone_kind_name(rgConeKind kind);

// A moving body. Bodies that the problem does not move (static, kinematic) are index -1 in rows and
// contacts; their velocity is part of the bias.
typedef struct rgProblemBody {
  double inverse_mass;    // [1/kg], 0 locks translation
  rgMat3 inverse_inertia; // [1/(kg m2)] world axes; zero locks rotation
  rgTwist v_free;         // velocity at the end of the step if there were no contacts and rows
} rgProblemBody;

// A contact at a point: two bodies, a frame, and the law that holds there.
typedef struct rgProblemContact {
  int body_a, body_b;  // index into bodies, or -1; not both -1
  rgVec3 n, t, o;      // orthonormal right-handed frame; n points from B to A
  rgVec3 arm_a, arm_b; // [m] from the centre of mass of each body to the contact point
  double bias[4]; // [m/s], [rad/s] for torsion: added to H' v. Holds restitution, gap / h and the
                  // velocity of moving ground
  rgConeKind cone;
  int facets;      // polygons: 3 or more
  double mu;       // >= 0
  double e_t, e_o; // [-] ellipsoid: factors on mu along t and o
  double e_tau;    // [m] ellipsoid: torsional length
} rgProblemContact;

// A constraint row: one scalar condition on two bodies. Joints, limits and motors are rows, and so
// are implicit springs: a spring of stiffness k [N/m] and damping c [N s/m] along G, with the
// stretch s [m] at the start of the step, is the row with compliance 1 / (h (h k + c)) and bias k s
// / (h k + c). It turns M into M + h^2 k G'G + h c G'G.
typedef struct rgProblemRow {
  int body_a, body_b;  // index into bodies, or -1
  rgTwist g_a, g_b;    // coefficients: w = g_a . v_a + g_b . v_b + bias + compliance lambda
  double bias;         // [m/s] or [rad/s]
  double lower, upper; // [N s] or [N m s]; -INFINITY .. INFINITY for a two-sided constraint
  double compliance;   // [1/kg] or [1/(kg m2)] >= 0; 0 for a rigid row
  // Two bodies more, which add g_a . v_a + g_b . v_b of their own to w: the coupling of the axes of two
  // joints. NULL for most rows. Solvers that take no such rows refuse the problem; `auto` takes them.
  const struct rgProblemFar* far;
} rgProblemRow;
typedef struct rgProblemFar {
  int body_a, body_b; // index into bodies, or -1; may be those of the row
  rgTwist g_a, g_b;
} rgProblemFar;

// W of the local form. Its nodes are the contacts, of `block` numbers each, and after them the rows
// of the problem, of one number each. W is stored as blocks of node with node, compressed by nodes:
// the blocks k = row_start[i] .. row_start[i + 1] - 1 of node i are those with the nodes column[k].
// A block of nodes with m and n numbers is m x n, row after row; without rows all are block x
// block.
typedef struct rgLocalMatrix {
  int block;            // numbers per contact: 1 (frictionless), 2 (dimension 2), 3 (n, t, o) or 4
  const int* row_start; // contact_count + row_count + 1
  const int* column;    // ascending within a node; the diagonal block is always there
  const double* values; // block after block
  // Where the numbers of each node begin in `values`, contact_count + row_count + 1. NULL without
  // rows: then those of node i begin at block * block * row_start[i].
  const size_t* value_start;
  const double* length; // per row: times its velocity is [m/s] in the certificate; NULL: 1 for all
} rgLocalMatrix;

// A body as a link of a tree of joints. Where two-sided rigid rows hold bodies together without
// closing loops, the velocities that satisfy them are
//
//     v = X v_parent + (sum of axis[k] times a rate) + offset,   X (l, w) = (l + w x from_parent, w),
//
// from link to link. A problem may say so beside its rows, which stay complete: a solver that reads
// links has fewer unknowns, one that does not finds the same answer, and the certificate judges the
// rows.
enum { RG_LINK_AXES = 3 }; // most axes of a joint
typedef struct rgProblemLink {
  int parent;    // index into bodies; -1: it hangs on what the problem does not move, or on nothing
  int row;       // first row of the joint that holds it to its parent; -1: none, it moves freely
  int row_count; // rows from `row` on that hold for all rates: two-sided, rigid
  int axis_row_count; // rows after these that act along the axes alone
  int axis_count;
  rgTwist axis[RG_LINK_AXES]; // movement of the link at its centre for a unit rate
  rgTwist offset;             // [m/s] [rad/s] that the biases of its rows ask for
  rgVec3 from_parent;         // [m] from the centre of the parent to that of the link
  rgVec3 arm;                 // [m] from its centre to the joint
} rgProblemLink;

typedef struct rgProblem {
  int dimension; // 3, or 2: then o and torsion of contacts are not used
  int body_count, contact_count, row_count;
  const rgProblemBody* bodies;
  const rgProblemContact* contacts;
  const rgProblemRow* rows;
  // Local form when not NULL: no bodies; of the contacts only bias and law are read, of the rows
  // only bias, bounds and compliance (bodies are -1).
  const rgLocalMatrix* local;
  // Trees: a link for each body, and the bodies with parents first. NULL when nothing is said.
  const rgProblemLink* links;
  const int* link_order;
} rgProblem;

// Where a solver starts and where it leaves its answer. Arrays belong to the caller.
typedef struct rgSolution {
  double* v; // 6 per body; local form: u, 4 per contact, then w without its compliance, 1 per row
  double* r; // 4 per contact
  double* lambda; // 1 per row; may be NULL when there are no rows
} rgSolution;

// How many numbers rgSolution.v has.
RG_API size_t rg_problem_velocity_count(const rgProblem* problem);

// The stages of a step: what it solves besides its contact problem. Each has its own line in the
// certificate, and a stage that misses what was asked of it makes the step not `met`.
typedef enum rgStage {
  RG_STAGE_SUITING, // [m/s] velocities that were set from outside are made to satisfy the joints
  RG_STAGE_IMPACTS, // [contacts] that still approach when sequential impacts run out of passes
  RG_STAGE_ROUNDS,  // [-] impulses and the constraint rows of the end of the step that they lead to
  RG_STAGE_PLAIN,   // [islands] that no round settled and that took the plain step instead
  RG_STAGE_CLOSING, // [contacts] that the bodies pass, or whose friction would gain energy
  RG_STAGE_PASSING, // [bodies] whose movement is cut short because they would pass others
  RG_STAGE_GAP,     // [m] of contacts that are taken at the end of the step, by geometry
  RG_STAGE_ALIGNMENT,  // [-] of their normals with those of the geometry
  RG_STAGE_RINGING,    // [m/s] joint rates that change their sign from step to step are removed
  RG_STAGE_PROJECTION, // [m] position errors after the step: overlaps and joints
  RG_STAGE_ENERGY,     // [J] energy that the step makes from nothing, against what a right one may
  RG_STAGE_COUNT
} rgStage;

// A stage of one step: what was asked, and what was reached where it was farthest from that.
typedef struct rgStageReport {
  double asked, reached; // in the unit of the stage; met where reached <= asked
  int count;             // solves, or things looked at; 0: the step did not need the stage
  int missed;            // of these, how many did not reach what was asked
} rgStageReport;

// How well a problem or a step was solved. Residuals are largest values over the contacts or rows.
//
// For contact c let rho = k / trace(W_cc), k the number of its unknowns among normal and tangents
// (the effective mass), and F = r - P_K(r - rho (u + mu |u_T| n)). For an ellipsoid all of this is
// taken in the variables r_i / e_i and e_i u_i, where its cone is circular; for a polygon F_n = r_n
// - max(0, r_n - rho u_n) and F_T = r_T - P(r_T - rho u_T) with P the projection on the section mu
// max(r_n, 0) P_k. A row is judged by lambda - clamp(lambda - rho w) with rho = 1 / (G M^-1 G' +
// compliance), and a soft one counts by the part of the velocity that compliance does not take;
// one that has angular coefficients only counts with the radius of gyration of its bodies. A number
// that is not finite makes the residual infinite.
typedef struct rgCertificate {
  double dynamics;  // [m/s] |v - v_free - M^-1 (G' lambda + H r)|, angular part times the arm it
                    // acts with; local form: |(u, w) - W (r, lambda) - bias|
  double joint;     // [m/s] violation of the row laws
  double signorini; // [m/s] |min(u_n, r_n / rho)|
  double coulomb;   // [m/s] |F| / rho: the whole contact law
  double scale; // [m/s] largest free velocity |H' v_free + bias| of rows and of contacts that the
                // free motion would violate: what residuals compare with
  double residual;    // [-] max(dynamics, joint, signorini, coulomb) / scale
  double penetration; // [m] largest overlap found by geometry after the step
  double joint_error; // [m] largest error of a joint found by geometry after the step, angles
                      // times its arm
  double energy; // [J] change of energy in the step minus work of applied forces and moving ground
  // [J] of these, what is due to contacts, to joints, springs and dampers, to the integration of
  // the movement in time, and to the projection of positions; see docs/accuracy.md
  double energy_contacts, energy_joints, energy_integration, energy_projection;
  int iterations; // of all solves of the problem: in each round the most over its islands, added
  int sweeps, factorizations; // of all solves of the step and of its stages, over all islands:
                              // passes over all unknowns, and factored matrices
  int contacts;               // in the problem
  double tolerance;           // [-] asked for
  rgStageReport stages[RG_STAGE_COUNT]; // of a step; all zero for a single problem
  bool met; // residual <= tolerance, and no stage missed what was asked of it
} rgCertificate;

// A stage in words.
typedef struct rgStageInfo {
  const char* name;    // "projection"
  const char* unit;    // of asked and reached: "m"; "" for pure numbers
  const char* summary; // one sentence: what the stage does
  const char*
      missed; // what became of steps that missed it: "left overlaps ... above the tolerance"
} rgStageInfo;
RG_API const rgStageInfo* rg_stage_info(int stage); // NULL past the end
RG_API const char* rg_stage_name(rgStage stage);    // "suiting", ...; NULL past the end

// The certificate as a table: one row for each number in it, three for each stage. Files of runs,
// summaries and docs/certificate.md are made from it. To print all of a certificate:
//
//     const rgCertificateField* field;
//     for (int i = 0; (field = rg_certificate_field(i)); i++)
//       printf("%s %g %s\n", field->name, rg_certificate_value(&certificate, field), field->unit);
typedef enum rgCertificateType {
  RG_CERTIFICATE_REAL,
  RG_CERTIFICATE_INT,
  RG_CERTIFICATE_BOOL
} rgCertificateType;
typedef struct rgCertificateField {
  const char* name;       // "residual", "projection_missed"
  const char* unit;       // "m/s"; "" for pure numbers
  rgCertificateType type; // double, int or bool
  size_t offset;          // [bytes] in rgCertificate
  rgStage stage;          // RG_STAGE_COUNT when it belongs to none
  bool of_problem;        // rg_problem_certify fills it; other fields belong to steps only
  bool largest;           // larger is worse: a run is judged by the largest value over its steps
  const char* summary;    // a phrase for tables
  const char* help;       // whole sentences
} rgCertificateField;
RG_API const rgCertificateField* rg_certificate_field(int index);       // NULL past the end
RG_API const rgCertificateField* rg_certificate_find(const char* name); // NULL when there is none
// The value of a field as a double, which holds all of them exactly; a bool is 0 or 1.
RG_API double rg_certificate_value(const rgCertificate* certificate,
                                   const rgCertificateField* field);

// Adds a step to the judgement of a run. `worst` begins as zeros with `met` true and then holds:
// the largest value of each field that has `largest`; `met`, whether every step was met; and for
// each stage how many steps needed it (count), how many missed it (missed), and what was asked and
// reached in the step farthest beyond what was asked. Other fields are not changed.
RG_API void rg_certificate_worst(rgCertificate* worst, const rgCertificate* step);

// The table as Markdown, docs/certificate.md: writes at most `capacity` bytes with the final zero
// and returns the length of the whole text, as snprintf does.
RG_API size_t rg_certificate_reference(char* text, size_t capacity);

// Checks sizes, indices, finite numbers, unit frames, mu >= 0; the message says which entry is
// wrong.
RG_API rgStatus rg_problem_check(const rgProblem* problem, rgMessage* message);

// Judges a solution with the definitions above. Independent of every solver. Fills dynamics, joint,
// signorini, coulomb, scale, residual, contacts, and met against `tolerance`.
RG_API void rg_problem_certify(const rgProblem* problem, const rgSolution* solution,
                               double tolerance, rgCertificate* certificate);

// -------------------------------------------------------------------------------------------------
// Operators
// -------------------------------------------------------------------------------------------------

// v = v_free + M^-1 (G' lambda + H r) of a solution, in local form u = W r + bias: writes
// solution->v.
RG_API void rg_problem_velocity(const rgProblem* problem, rgSolution* solution);

// Velocities at the contacts and along the rows that belong to velocities v of the bodies: u = H' v
// + bias [m/s], [rad/s] for torsion, 4 per contact, and w = G v + bias, 1 per row, without
// compliance lambda. In local form v is u. `w` may be NULL when there are no rows.
RG_API void rg_problem_relative(const rgProblem* problem, const double* v, double* u, double* w);

// What impulses do by themselves, without free motion and bias: v = M^-1 (G' lambda + H r), u = H'
// v, w = G v + compliance lambda, with the sizes of rg_problem_relative. Unit impulses give the
// columns of W, which is never formed. In local form v and u are both W r.
RG_API void rg_problem_apply(const rgProblem* problem, const double* r, const double* lambda,
                             double* v, double* u, double* w);

// The axes of a contact's cone for its four components: 1 for the normal, e_t, e_o and e_tau for an
// ellipsoid; 0 where a component carries no impulse.
RG_API void rg_problem_axes(const rgProblem* problem, int contact, double e[4]);

// How the literature judges the contacts of a solution, for comparisons with other codes. With
// F = r - P_K(r - (u + mu |u_T| n)) of each contact, |F| / max(|q|, |r|, |u|) over all contacts
// mixes impulses with velocities and depends on the units; with rho = k / trace(W_cc) before the
// velocities of each of the k components of a contact, |F| / max(|r|, |rho u|, |rho q|) does not. q
// is u without impulses. Rows are not judged; polygons and ellipsoids have no such measure (NaN),
// and contacts without an effective mass have no second one.
typedef struct rgContactError {
  double plain;     // the measure of Siconos
  double invariant; // its form without units
} rgContactError;
RG_API rgContactError rg_problem_contact_error(const rgProblem* problem,
                                               const rgSolution* solution);

// -------------------------------------------------------------------------------------------------
// Files
// -------------------------------------------------------------------------------------------------

typedef enum rgProblemFormat {
  RG_PROBLEM_JSON,         // holds everything, exact to the bit
  RG_PROBLEM_TEXT,         // of Siconos, local form; with one number per contact an LCP
  RG_PROBLEM_FCLIB,        // HDF5 of the friction contact library, local form
  RG_PROBLEM_TEXT_GLOBAL,  // the same with M, H, f, w
  RG_PROBLEM_FCLIB_GLOBAL, // the same in HDF5
  RG_PROBLEM_FORMAT_COUNT
} rgProblemFormat;
RG_API const char* rg_problem_format_name(rgProblemFormat format); // "json", ...; NULL past the end
RG_API const char* rg_problem_format_ending(rgProblemFormat format); // ".json", ".dat", ".hdf5"

// Writes the problem as JSON / in another format. The formats of others hold exact Coulomb and
// frictionless contacts only: rows, axes, polygons and torsion are RG_ERROR_UNSUPPORTED (two-sided
// rigid rows are the constraints G of FCLIB's global form), and so are bodies that are held (no
// inverse mass or inertia) in global form, and FCLIB in a build without HDF5.
RG_API rgStatus rg_problem_write(const rgProblem* problem, const char* path, rgMessage* message);
RG_API rgStatus rg_problem_write_as(const rgProblem* problem, rgProblemFormat format,
                                    const char* path, rgMessage* message);

// Reads a problem of any of the formats, which is known by its content. Problems of others come in
// local form; of a global one, W = H' M^-1 H and q = H' M^-1 f + w are formed. mu = 0 is read as
// frictionless. Messages begin with the place: "path:line:column: ", or for FCLIB "path: dataset".
// Allocates one block with `allocator`, which may be NULL; rg_problem_free gives it back.
RG_API rgStatus rg_problem_read(const char* path, const rgAllocator* allocator, rgProblem** problem,
                                rgMessage* message);
// The same from memory, JSON or text; `name` stands for the path in messages.
RG_API rgStatus rg_problem_parse(const char* text, size_t length, const char* name,
                                 const rgAllocator* allocator, rgProblem** problem,
                                 rgMessage* message);

// The local form of a problem with bodies: with D = (H, G), W = D' M^-1 D and bias = D' v_free +
// bias, of `dimension` numbers per contact, 4 where one has torsion, and one per row; laws, bounds
// and compliances as they are. Impulses of the one are impulses of the other. `allocator` may be
// NULL; rg_problem_free gives the problem back.
RG_API rgStatus rg_problem_to_local(const rgProblem* problem, const rgAllocator* allocator,
                                    rgProblem** local, rgMessage* message);

// Writes a solution of the problem that was read from the FCLIB file `path` into that file, as the
// group `solution` with u, r and, in global form, v and l (of constraints). RG_ERROR_UNSUPPORTED
// for files of other formats.
RG_API rgStatus rg_problem_write_solution(const char* path, const rgProblem* problem,
                                          const rgSolution* solution, rgMessage* message);

// NULL is allowed; `allocator` is the one that the problem was made with.
RG_API void rg_problem_free(rgProblem* problem, const rgAllocator* allocator);

#ifdef __cplusplus
}
#endif
#endif
