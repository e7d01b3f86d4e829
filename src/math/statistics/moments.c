// moments.c - means with their intervals of confidence.
//
// Of n numbers with mean m and standard deviation s the interval of the mean is m +- t s / sqrt n, t
// being the quantile of Student's distribution with n - 1 degrees of freedom (Student 1908): exact for
// normal numbers, and for others in the limit of many.
#include <rigor/ensemble.h>

#include <math.h>

void rg_moments_add(rgMoments* moments, double value) {
  moments->count++;
  double before = value - moments->mean;
  moments->mean += before / (double)moments->count;
  moments->squares += before * (value - moments->mean);
  if (moments->count == 1 || value < moments->least)
    moments->least = value;
  if (moments->count == 1 || value > moments->largest)
    moments->largest = value;
}

double rg_moments_deviation(const rgMoments* moments) {
  return moments->count < 2 ? 0 : sqrt(moments->squares / (double)(moments->count - 1));
}

rgInterval rg_moments_interval(const rgMoments* moments, double confidence) {
  if (moments->count < 2)
    return (rgInterval){-HUGE_VAL, HUGE_VAL};
  double t = rg_quantile_student(0.5 + 0.5 * confidence, (double)(moments->count - 1));
  double half = t * rg_moments_deviation(moments) / sqrt((double)moments->count);
  return (rgInterval){moments->mean - half, moments->mean + half};
}
