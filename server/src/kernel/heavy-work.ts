import os from 'node:os'
import pLimit from 'p-limit'

/** One processor is left to those who wait for a page. */
const limit = pLimit(Math.max(1, os.availableParallelism() - 1))

/**
 * Work that keeps a processor of the database busy for long: a batch of a large copy, who is in a segment of a large store. Only so much of it
 * is under way at a time in this process; the others wait, first come, first served. Never inside a transaction: what that has locked,
 * those before it may be waiting for.
 */
export const heavyWork = <T>(run: () => Promise<T>): Promise<T> => limit(run)
