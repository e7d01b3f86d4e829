// nsgs.h - the packed form of a problem on which block Gauss-Seidel sweeps run.
//
// A manifold is a run of contacts of one pair of bodies with one frame and one mu. Some manifolds
// that share no moving body make a batch and are visited together, one per lane. Contacts that do
// not fit that form (ellipsoids, torsion, polygons, several slip roots, bodies with very many
// neighbours) and rows are visited one by one.
//
// Batches come in two forms (nsgs_form.h), of four lanes of doubles or eight of floats, whose source is the same.
//
// The iterate is two arrays: numbers of the form, three per lane of a point of a batch (n, t, o) and of a batch of
// ball contacts (x, y, z); and doubles for what is visited alone, 4 per contact, 1 per row. The velocities that follow
// from it are 8 numbers of the form per body. All are linear memory, so that combinations of iterates are plain loops.
#ifndef SOLVE_NSGS_NSGS_H
#define SOLVE_NSGS_NSGS_H

#include "math/vec.h"
#include "problem/operator.h"
#include "solve/nsgs/momentum.h"
#include "solve/one/one.h"
#include "solve/solver.h"

enum {
  RG_NSGS_COLOURS = 64,   // bits of a mask; pairs beyond are visited one by one
  RG_NSGS_POINTS_MAX = 8, // contacts in one manifold record; longer runs are cut
  RG_NSGS_BODY = 8,       // numbers per body: velocity, 0, angular velocity, 0
  RG_NSGS_BLOCK = 256,    // bodies whose products are summed together
};

// The points of a batch.
typedef struct rgNsgsRun {
  int32_t first, count;
  int32_t twin; // visited together with its neighbour: 1 the first of a pair, 2 the second, 0 alone
} rgNsgsRun;

// A contact visited alone.
typedef struct rgNsgsGeneral {
  int32_t contact;
  int32_t m;            // tangential components in use
  int32_t part[4];      // components in use
  int32_t corner_count; // 0: exact cone
  int32_t first_corner;
  double axis[4]; // scale of each component in use
  double mu;
  double weight;
  double alpha;
  union {
    rgOneBlock block;
    double w[4][4];
  };
} rgNsgsGeneral;

typedef struct rgNsgsRow {
  double inverse_block; // 1 / (G M^-1 G' + compliance), 0 when a rigid row holds both bodies
  double weight;
  rgTwist step_a, step_b; // M^-1 G' of a unit impulse
} rgNsgsRow;

// Whether a batch is left out of the next sweeps, because it is open; see nsgs_kernel.h.
enum { RG_NSGS_REST = 1, RG_NSGS_REST_AGAIN = 3 }; // [sweeps]
typedef struct rgNsgsRest {
  uint8_t left;  // [sweeps] still to be left out of
  uint8_t again; // it was open at the last visit
} rgNsgsRest;

typedef struct rgNsgs rgNsgs;
// Some batches, of ball contacts or of others. A part of one colour shares no moving body with the rest of
// that colour, so that its parts may be visited in any order, or at the same time, with the same bits.
typedef struct rgNsgsPart {
  bool balls;
  int32_t first, end;
} rgNsgsPart;

// What is compiled for the plain instruction set and for AVX2, of each form (nsgs_kernel.h). Equal bits.
typedef struct rgNsgsKernel {
  // Visits the batches of a part once; returns the largest squared change, as a velocity.
  double (*sweep)(const rgNsgs* nsgs, rgNsgsPart part, bool backward);
  // The next start of the velocities of some bodies after a pair of sweeps, and of the impulses of some points.
  double (*extrapolate)(const rgNsgs* nsgs, double beta, int first, int end);
  void (*extrapolate_points)(const rgNsgs* nsgs, double beta, int first, int end);
} rgNsgsKernel;
typedef struct rgNsgsForm rgNsgsForm;
typedef struct rgNsgsTeam rgNsgsTeam;

// In what units a form counts: powers of two, so that nothing is rounded. 1 for doubles.
typedef struct rgNsgsUnits {
  double mass;                             // [kg]
  double speed;                            // [m/s], and [rad/s]
  double impulse;                          // [N s], the product of both
  double per_mass, per_speed, per_impulse; // their inverses
} rgNsgsUnits;

// What is visited along normals alone.
typedef struct rgNsgsSmooth {
  bool balls; // no ball contact has friction
  bool all;   // no contact has friction, or had
} rgNsgsSmooth;

// Impulses are extrapolated, state + beta (state - last_state), as the sweep to come, a forward one, visits them: a
// pass of their own would read and write them once more.
typedef struct rgNsgsLeap {
  bool due;
  double beta;
  bool remembered; // start_v is that of the pair to come
} rgNsgsLeap;

struct rgNsgs {
  const rgProblem* problem;
  const rgNsgsForm* form;
  const rgNsgsKernel* kernel;
  rgNsgsUnits unit;
  int body_count; // without dummies
  int ball_count, batch_count, point_count, general_count;
  int ball_state, lone_state; // where the entries of these begin
  int lone_count;             // numbers of contacts visited alone and rows
  rgNsgsRun* runs;            // one per batch of others
  void *balls, *batches, *points;
  rgNsgsGeneral* generals;
  rgNsgsRow* rows;
  double (*corners)[2];
  int hue_count;
  rgNsgsPart hues[2 * RG_NSGS_COLOURS]; // colours in the order of their visits, balls first
  int32_t
      pressing[2 * RG_NSGS_COLOURS]; // the first batch of a colour whose contacts pressed at first
  uint64_t* masks;  // per body: colours in use while it is packed, then the threads that visit it
  rgNsgsTeam* team; // threads that share the sweeps; NULL: none
  int32_t*
      entry; // per contact: index of its normal impulse in `state`, or lone_state and more: in `lone`
  void* state;      // numbers of the form
  double* lone;     // of contacts visited alone, then of rows
  void* alpha;      // one number per lane of each point
  rgNsgsRest* rest; // one per batch, those of balls first; twins have that of the first of them
  rgNsgsSmooth smooth;
  double margin; // [unit of speed] what opens by more than this may rest: not a matter of rounding
  void*
      v; // RG_NSGS_BODY numbers of the form per body, less `base`; then a dummy per batch, which is still
  double* base; // six per body: the velocities when it was packed; NULL: zero
  // for the momentum: iterate and velocity after the last sweep, velocity before it, M of each body
  void *last_state, *last_v, *start_v;
  double* last_lone;
  rgNsgsLeap leap;
  double* sums; // of products of bodies, one per RG_NSGS_BLOCK of them
  void*
      metric; // RG_NSGS_BODY numbers per body: mass, 0, then xx, yy, zz, xy, xz, yz of the inertia
};

size_t rg_nsgs_size(const rgProblem* problem);
size_t rg_nsgs_lean_size(const rgProblem* problem); // where there is more to ask for
// Builds the packed form in `work`, and loads the iterate; by all threads of `tasks`, which may be NULL. `speed` is
// what velocities are compared with [m/s]. In a `run` that may ask for more the work is of rg_nsgs_lean_size: NULL when
// there is no more. `run` may be NULL.
rgNsgs* rg_nsgs_pack(const rgProblem* problem, const rgSolution* solution, const rgNsgsForm* form,
                     double speed, void* work, rgTasks* tasks, const rgSolve* run);
// Whether floats resolve velocities of `goal` where `speed` is the scale; see nsgs_form.h.
bool rg_nsgs_single_resolves(const rgProblem* problem, double goal, double speed, rgTasks* tasks);

// The iterate (nsgs_iterate.c): lambda and v; all of it in, and r and lambda out, by all threads of `tasks`, which may
// be NULL.
void rg_nsgs_load_bodies(rgNsgs* nsgs, const rgSolution* solution, rgTasks* tasks);
void rg_nsgs_load(rgNsgs* nsgs, const rgSolution* solution);
void rg_nsgs_store(const rgNsgs* nsgs, rgSolution* solution, rgTasks* tasks);
// The impulse of a contact, as in a solution.
void rg_nsgs_impulse(const rgNsgs* nsgs, int contact, double r[4]);
// Sums the velocities afresh from the impulses; `solution` is used for it and holds the iterate
// afterwards.
void rg_nsgs_refresh(rgNsgs* nsgs, rgSolution* solution);
// Remembers the iterate, or the velocities before a pair of sweeps, for the momentum.
void rg_nsgs_keep_iterate(rgNsgs* nsgs);
void rg_nsgs_keep_start(rgNsgs* nsgs);

// Ball contacts (nsgs_ball.c): the bodies as they see them, whether a contact is one, its law, and its impulse
// from the frame to world axes and back.
typedef struct rgNsgsBallLaw {
  double lever_a, lever_b; // [m] arm . n
  double mass_a, mass_b;   // inverse masses [1/kg]
  double spin_a, spin_b;   // [1/(kg m)] inverse inertia times lever
  double stiff_n, stiff_t; // [kg] 1 / W_nn, 1 / W_tt
  double mu;
  double inverse_rho;
} rgNsgsBallLaw;
void rg_nsgs_ball_masses(const rgProblem* problem, int first, int end, rgBallMass* masses);
bool rg_nsgs_is_ball(const rgProblem* problem, const rgBallMass* masses,
                     const rgProblemContact* contact);
rgNsgsBallLaw rg_nsgs_ball_law(const rgBallMass* masses, const rgProblemContact* contact);
rgVec3 rg_nsgs_ball_load(const rgProblemContact* contact, const double r[4]);
void rg_nsgs_ball_store(const rgProblemContact* contact, rgVec3 p, double r[4]);

// A contact on its own, in either form. Everything but first_corner is filled.
void rg_nsgs_general_make(const rgProblem* problem, int index, rgNsgsGeneral* general);
// Solves the law of the contact with its velocity u under the present r, which is updated. `change`
// gets the change of the components in use; returns its square, as a velocity.
double rg_nsgs_general_solve(rgNsgsGeneral* general, const double (*corners)[2], const double* u,
                             double* r, double change[4]);

// One visit of everything that is not in a batch; returns the largest squared change, as a
// velocity.
double rg_nsgs_sweep_generals(rgNsgs* nsgs, bool backward);
double rg_nsgs_sweep_rows(rgNsgs* nsgs, bool backward);

// Visits all batches once, forward or backward, and extrapolates (nsgs_team.c): alone, or with the other
// members of a team. Equal bits.
double rg_nsgs_sweep_batches(rgNsgs* nsgs, bool backward);
double rg_nsgs_extrapolate_velocities(rgNsgs* nsgs, double beta);
void rg_nsgs_extrapolate_impulses(rgNsgs* nsgs, double beta);
// Runs `leader` with the packed form, whose calls of the three above are shared by all threads of `tasks` where
// the problem is large; `tasks` may be NULL.
void rg_nsgs_lead(rgNsgs* nsgs, rgTasks* tasks, void (*leader)(void* context), void* context);

// Local resolutions as printed (nsgs_printed.c), in both forms. Needs no work.
enum { RG_NSGS_CORNERS = 64 }; // of a polygon, at most
bool rg_nsgs_printed_takes(const rgProblem* problem);
void rg_nsgs_printed_solve(rgSolve* run, bool diagonal);

// The local form, with the given W (nsgs_local_form.c).
rgStatus rg_nsgs_local_accepts(const rgProblem* problem, rgMessage* message);
size_t rg_nsgs_local_size(const rgProblem* problem);
void rg_nsgs_local_solve(rgSolve* run, rgSweepPlan plan);

#endif
