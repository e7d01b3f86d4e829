// filter.c - smoothing of sampled movements.
//
// A Butterworth filter of second order by the bilinear transform, run forwards and backwards, so that
// nothing is delayed: |H|^2 = 1 / (1 + (f / fc)^4) at the cutoff fc, which is the customary filter of
// biomechanics (Winter 2009, section 3.4.4) without his correction of the cutoff for two passes. Both
// ends are continued by their mirror image through the end point, and each pass starts at rest in its
// first value.
//
// Between the samples a movement is the cubic spline with continuous second derivatives, whose own are
// zero at the ends.
#include "articulated/figure.h"

#include "math/trig.h"

typedef struct Coefficients {
  double b, a1, a2; // y_i = b (x_i + 2 x_i-1 + x_i-2) - a1 y_i-1 - a2 y_i-2
} Coefficients;

static Coefficients butterworth(double cutoff, double rate) {
  double angle = RG_PI * cutoff / rate, k = rg_sin(angle) / rg_cos(angle), root = sqrt(2.0);
  double scale = 1 / (1 + root * k + k * k);
  return (Coefficients){k * k * scale, 2 * (k * k - 1) * scale, (1 - root * k + k * k) * scale};
}

static void pass(const Coefficients* c, double* x, int count, int stride) {
  double x1 = x[0], x2 = x[0], y1 = x[0], y2 = x[0];
  for (int i = 0; i < count; i++) {
    double* at = x + (ptrdiff_t)i * stride;
    double y = c->b * (*at + 2 * x1 + x2) - c->a1 * y1 - c->a2 * y2;
    x2 = x1;
    x1 = *at;
    y2 = y1;
    *at = y1 = y;
  }
}

// Whether there is anything to filter: above half of the rate there are no frequencies.
static bool filters(double cutoff, double rate) { return cutoff > 0 && cutoff < 0.5 * rate; }

// The response of the filter has died out to rounding after some periods of the cutoff.
int rg_filter_pad(int count, double cutoff, double rate) {
  if (!filters(cutoff, rate))
    return 0;
  double periods = 5 * rate / cutoff; // may be beyond every int
  return periods < count - 1 ? (int)periods + 1 : count - 1;
}

void rg_filter_smooth(double* values, int count, double cutoff, double rate, double* work) {
  int pad = rg_filter_pad(count, cutoff, rate), all = count + 2 * pad;
  if (pad == 0)
    return;
  for (int i = 0; i < pad; i++) {
    work[i] = 2 * values[0] - values[pad - i];
    work[pad + count + i] = 2 * values[count - 1] - values[count - 2 - i];
  }
  for (int i = 0; i < count; i++)
    work[pad + i] = values[i];
  Coefficients c = butterworth(cutoff, rate);
  pass(&c, work, all, 1);
  pass(&c, work + all - 1, all, -1);
  for (int i = 0; i < count; i++)
    values[i] = work[pad + i];
}

// m_i-1 + 4 m_i + m_i+1 = 6 (y_i-1 - 2 y_i + y_i+1) / spacing^2, m = 0 at both ends.
void rg_filter_bend(const double* y, int count, double spacing, double* bend, double* work) {
  bend[0] = bend[count - 1] = 0;
  double *upper = work, *right = work + count;
  upper[0] = right[0] = 0;
  for (int i = 1; i < count - 1; i++) {
    double target = 6 * (y[i - 1] - 2 * y[i] + y[i + 1]) / (spacing * spacing);
    double pivot = 4 - upper[i - 1];
    upper[i] = 1 / pivot;
    right[i] = (target - right[i - 1]) / pivot;
  }
  for (int i = count - 2; i > 0; i--)
    bend[i] = right[i] - upper[i] * bend[i + 1];
}
