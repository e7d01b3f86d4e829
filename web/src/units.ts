// units.ts - numbers with their units, as people read them.

const PREFIXES: [number, string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];

// Three digits and a prefix: 230 µs, 1.23 kN. Kilograms keep theirs.
export function measure(value: number, unit: string, digits = 3): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return `${value} ${unit}`;
  if (size < 1e-12) return `0 ${unit}`;
  if (unit.startsWith("kg") || unit === "rad/s" || unit === "°") return `${plain(value, digits)} ${unit}`;
  const [scale, prefix] = PREFIXES.find(([least]) => size >= least * (1 - 0.5 * 10 ** -digits)) ?? PREFIXES.at(-1)!;
  return `${plain(value / scale, digits)} ${prefix}${unit}`;
}

// Digits without an exponent while that is short.
export function plain(value: number, digits = 3): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(digits - 1);
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(size) + 1e-9));
  return value.toFixed(Math.min(places, 6));
}

// The largest of 1, 2 and 5 times a power of ten that is not above `value`.
export function round(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([5, 2, 1].find((digit) => digit * power <= value) ?? 1);
}
