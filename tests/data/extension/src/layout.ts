// Where the time goes: the tests know these lines.

const measureText = (end: number): number => {
  let sum = 0;
  while (performance.now() < end) {
    sum += Math.sqrt(sum + 1);
  }
  return sum;
};

export function arrangePoints(ms: number): number {
  return measureText(performance.now() + ms);
}
