import os from 'node:os'
import pLimit from 'p-limit'

/** One processor stays free for people who wait for a page. */
const limit = pLimit(Math.max(1, os.availableParallelism() - 1))

/**
 * Work that keeps a processor of the database busy for long: a batch of a large copy, the members of a segment in a large store. This process
 * runs a limited number at a time; the others wait in order. Never inside a transaction: work ahead in the queue may wait for its locks.
 */
export const heavyWork = <T>(run: () => Promise<T>): Promise<T> => limit(run)
