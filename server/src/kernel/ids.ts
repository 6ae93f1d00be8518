import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'

/** A new id: UUIDv7, so that newer rows sort last. */
export const newId = (): string => v7()

/** A new id as of that moment. */
export const newIdAt = (at: Date): string => v7({ msecs: at.getTime() })

const RANDOM_BYTES = 16
let last = { msecs: 0, seq: 0 }

/**
 * Thousands of new ids at once, in order, and after ids made this way before. Requesting random bytes for a single id costs more than all the
 * rest.
 */
export function newIds(count: number): string[] {
  const random = randomBytes(count * RANDOM_BYTES)
  const first = v7()
  const msecs = Number.parseInt(first.slice(0, 8) + first.slice(9, 13), 16)
  const from = msecs === last.msecs ? last.seq : 0
  last = { msecs, seq: from + count }
  // A view for each would cost more than a copy of its bytes.
  const own = Buffer.alloc(RANDOM_BYTES)
  return Array.from({ length: count }, (_, index) => {
    random.copy(own, 0, index * RANDOM_BYTES)
    return v7({ msecs, seq: from + index, random: own })
  })
}

/** New ids one by one, made in blocks of `atOnce`, for a caller that does not know how many it needs. */
export function idsOneByOne(atOnce: number): () => string {
  let ids: string[] = []
  let used = 0
  return () => {
    if (used === ids.length) [ids, used] = [newIds(atOnce), 0]
    used += 1
    return ids[used - 1] ?? ''
  }
}

/** Stands for "none" in keys that cannot hold null. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000'
