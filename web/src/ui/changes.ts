/** The fields that differ from what they began as: all a save should send, so that what others saved meanwhile stays. */
export function changesOf<Fields extends object>(began: Fields, now: Fields): Partial<Fields> {
  const before = began as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  ) as Partial<Fields>
}
