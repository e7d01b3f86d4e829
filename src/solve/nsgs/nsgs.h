// nsgs.h - the packed form of a problem on which block Gauss-Seidel sweeps run.
//
// A manifold is a run of contacts of one pair of bodies with one frame and one mu. Four manifolds
// that share no moving body make a batch and are visited together, one per lane. Contacts that do
// not fit that form (ellipsoids, torsion, polygons, several slip roots, bodies with very many
// neighbours) and rows are visited one by one.
//
// The iterate is one array of doubles: 12 per point of a batch (n, t, o of four lanes), 12 per
// batch of ball contacts (x, y, z), 4 per general contact, 1 per row; the velocities that follow
// from it are 8 per body. Both are linear memory, so that combinations of iterates are plain loops.
#ifndef SOLVE_NSGS_NSGS_H
#define SOLVE_NSGS_NSGS_H

#include "problem/operator.h"
#include "solve/nsgs/momentum.h"
#include "solve/one/one.h"
#include "solve/solver.h"

enum {
  RG_NSGS_LANES = 4,
  RG_NSGS_COLOURS = 64,   // bits of a mask; pairs beyond are visited one by one
  RG_NSGS_POINTS_MAX = 8, // contacts in one manifold record; longer runs are cut
  RG_NSGS_BODY = 8,       // doubles per body: velocity, 0, angular velocity, 0
  RG_NSGS_BLOCK = 256,    // bodies whose products are summed together
};

// One number of each lane.
typedef struct rgFour {
  _Alignas(32) double lane[RG_NSGS_LANES];
} rgFour;

// Four manifolds. In a batch of single points arms and inertias are in world axes, else in those of
// the frame.
typedef struct rgNsgsBatch {
  rgFour frame[3][3];                // n, t, o by world axis
  rgFour mass_a, mass_b;             // inverse masses [1/kg]
  rgFour inertia_a[6], inertia_b[6]; // inverse inertias: xx, yy, zz, xy, xz, yz
  rgFour mu;
  int32_t body_a[RG_NSGS_LANES], body_b[RG_NSGS_LANES]; // the last body is a dummy that never moves
  int32_t first, count;                                 // points
  int32_t twin; // visited together with its neighbour: 1 the first of a pair, 2 the second, 0 alone
} rgNsgsBatch;

// Four ball contacts: single points whose arms lie along the normal, of bodies with one moment of
// inertia, as between spheres. Then W has no tangential coupling, the law is solved in closed form,
// and all of it in world axes. The iterate of such a point is its impulse in world axes.
typedef struct rgNsgsBall {
  rgFour n[3];
  rgFour lever_a, lever_b; // [m] arm . n
  rgFour mass_a, mass_b;   // inverse masses [1/kg]
  rgFour spin_a, spin_b;   // [1/(kg m)] inverse inertia times lever
  rgFour bias;             // [m/s] along n
  rgFour stiff_n, stiff_t; // [kg] 1 / W_nn, 1 / W_tt
  rgFour mu;
  rgFour weight; // as of a point
  int32_t body_a[RG_NSGS_LANES], body_b[RG_NSGS_LANES];
} rgNsgsBall;

// One contact of each of the four manifolds.
typedef struct rgNsgsPoint {
  rgFour arm_a[3], arm_b[3];
  rgFour bias[3];
  rgFour inverse_wnn;
  rgFour w[2];          // W_Tn / W_nn
  rgFour t11, t12, t22; // inverse of W_TT with the normal eliminated
  rgFour weight;        // (1 / rho)^2: turns a squared change of impulse into a squared velocity
} rgNsgsPoint;

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
// Visits the batches of a part once; returns the largest squared change, as a velocity.
typedef double rgNsgsSweep(const rgNsgs* nsgs, rgNsgsPart part, bool backward);
// The next start of the velocities of some bodies after a pair of sweeps; see nsgs_kernel.h.
typedef double rgNsgsExtrapolate(const rgNsgs* nsgs, double beta, int first, int end);
typedef struct rgNsgsTeam rgNsgsTeam;

struct rgNsgs {
  const rgProblem* problem;
  rgNsgsSweep* sweep;
  rgNsgsExtrapolate* extrapolate;
  int body_count; // without the dummy
  int ball_count, batch_count, point_count, general_count, state_count;
  int ball_state, general_state; // where the iterates of these begin in `state`
  rgNsgsBall* balls;
  rgNsgsBatch* batches;
  rgNsgsPoint* points;
  rgNsgsGeneral* generals;
  rgNsgsRow* rows;
  double (*corners)[2];
  int hue_count;
  rgNsgsPart hues[2 * RG_NSGS_COLOURS]; // colours in the order of their visits, balls first
  rgNsgsTeam* team;                     // threads that share the sweeps; NULL: none
  int32_t* entry;                       // per contact: index of its normal impulse in `state`
  double* state;
  rgFour* alpha;    // one per point
  rgNsgsRest* rest; // one per batch, those of balls first; twins have that of the first of them
  double margin;    // [m/s] what opens by more than this may rest: not a matter of rounding
  double* v;        // RG_NSGS_BODY per body, dummy last
  // for the momentum: iterate and velocity after the last sweep, velocity before it, M of each body
  double *last_state, *last_v, *start_v;
  bool remembered; // start_v is that of the pair to come
  // Impulses of ball contacts are extrapolated, state + beta (state - last_state), as the sweep to
  // come, a forward one, visits them: a pass of their own would read and write them once more.
  bool leap;
  double beta;
  double* sums;   // of products of bodies, one per RG_NSGS_BLOCK of them
  double* metric; // RG_NSGS_BODY per body: mass, 0, then xx, yy, zz, xy, xz, yz of the inertia
};

size_t rg_nsgs_size(const rgProblem* problem);
// Builds the packed form in `work`, and loads the iterate; by all threads of `tasks`, which may be NULL.
rgNsgs* rg_nsgs_pack(const rgProblem* problem, const rgSolution* solution, void* work,
                     rgTasks* tasks);

// The iterate (nsgs_iterate.c): a contact that gets its place in the state is loaded at once, while
// it is at hand; lambda and v; all of it in, and r and lambda out.
void rg_nsgs_place(rgNsgs* nsgs, int contact, int entry, const double* r);
void rg_nsgs_load_bodies(rgNsgs* nsgs, const rgSolution* solution);
void rg_nsgs_load(rgNsgs* nsgs, const rgSolution* solution);
void rg_nsgs_store(const rgNsgs* nsgs, rgSolution* solution);
// The impulse of a contact, as in a solution.
void rg_nsgs_impulse(const rgNsgs* nsgs, int contact, double r[4]);
// Sums the velocities afresh from the impulses; `solution` is used for it and holds the iterate
// afterwards.
void rg_nsgs_refresh(rgNsgs* nsgs, rgSolution* solution);

// Ball contacts (nsgs_ball.c): the bodies as they see them, whether a contact is one, a batch
// with empty lanes, its place in a lane (`nobody`: the dummy), and its impulse from the frame to
// world axes and back.
void rg_nsgs_ball_masses(const rgProblem* problem, rgBallMass* masses);
bool rg_nsgs_is_ball(const rgProblem* problem, const rgBallMass* masses,
                     const rgProblemContact* contact);
void rg_nsgs_ball_clear(int nobody, rgNsgsBall* ball);
void rg_nsgs_ball_put(const rgBallMass* masses, const rgProblemContact* contact, int nobody,
                      rgNsgsBall* ball, int lane);
void rg_nsgs_ball_load(const rgProblemContact* contact, const double r[4], double* state);
void rg_nsgs_ball_store(const rgProblemContact* contact, const double* state, double r[4]);

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

// The same kernels for the plain instruction set and for AVX2 (NULL where that does not exist).
// Equal bits.
double rg_nsgs_sweep_plain(const rgNsgs* nsgs, rgNsgsPart part, bool backward);
rgNsgsSweep* rg_nsgs_sweep_avx2(void);
double rg_nsgs_extrapolate_plain(const rgNsgs* nsgs, double beta, int first, int end);
rgNsgsExtrapolate* rg_nsgs_extrapolate_avx2(void);

// Local resolutions as printed (nsgs_printed.c), in both forms. Needs no work.
enum { RG_NSGS_CORNERS = 64 }; // of a polygon, at most
bool rg_nsgs_printed_takes(const rgProblem* problem);
void rg_nsgs_printed_solve(rgSolve* run, bool diagonal);

// The local form, with the given W (nsgs_local_form.c).
rgStatus rg_nsgs_local_accepts(const rgProblem* problem, rgMessage* message);
size_t rg_nsgs_local_size(const rgProblem* problem);
void rg_nsgs_local_solve(rgSolve* run, rgSweepPlan plan);

#endif
