import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'

/** A new id: UUIDv7, so that newer rows sort last. */
export const newId = (): string => v7()

const RANDOM_BYTES = 16

/** Thousands of new ids at once, in their order: asking for random bytes one id at a time costs more than all else about it. */
export function newIds(count: number): string[] {
  const random = randomBytes(count * RANDOM_BYTES)
  const first = v7()
  const msecs = Number.parseInt(first.slice(0, 8) + first.slice(9, 13), 16)
  return Array.from({ length: count }, (_, index) =>
    v7({ msecs, seq: index, random: random.subarray(index * RANDOM_BYTES, (index + 1) * RANDOM_BYTES) }),
  )
}

/** Stands for "none" in keys that cannot hold null. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000'
