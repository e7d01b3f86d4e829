// share.c - shares with their intervals of confidence.
//
// Of k hits in n the interval is Wilson's (1927),
//
//     (p + z^2 / 2n +- z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n),   p = k / n,
//
// the shares that a test with the normal quantile z would not reject. It stays inside [0, 1], and has a
// width also where k = 0 or k = n, where the textbook's p +- z sqrt(p (1 - p) / n) has none.
#include <rigor/ensemble.h>

#include <math.h>

rgInterval rg_share_interval(int64_t hits, int64_t count, double confidence) {
  if (count <= 0)
    return (rgInterval){0, 1};
  double n = (double)count, p = (double)hits / n, z = rg_quantile_normal(0.5 + 0.5 * confidence);
  double middle = p + z * z / (2 * n), grown = 1 + z * z / n;
  double half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  double lower = hits == 0 ? 0 : (middle - half) / grown;
  double upper = hits == count ? 1 : (middle + half) / grown;
  return (rgInterval){lower, upper};
}
