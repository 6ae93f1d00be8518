import { getCompileCacheDir } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { stopwatch } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { ThreadAnswer, ThreadCall } from './thread-calls.ts'

/** A call was ended because it exceeded its budget. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget'
  readonly of: 'time' | 'memory'
  constructor(of: 'time' | 'memory') {
    super(of === 'time' ? 'it takes too long' : 'it needs too much memory')
    this.of = of
  }
}

export interface CallOptions {
  /** One call of an owner and kind runs at a time, and owners take turns. */
  owner: string
  /** `asked`: a person waits for the answer; only a few calls of an owner may wait. `work`: a worker's call. Neither kind can take all threads. */
  kind: 'asked' | 'work'
}

/** Threads that run code people wrote. A call that takes too long is ended, with its thread. */
export interface Threads {
  /**
   * Throws {@link OverBudget}; `rate_limited` if too many of this owner wait already; `unavailable` if the machine gave the call no processor
   * time at all, or the process is stopping. An error of the call itself arrives as an error that says so.
   */
  run<T>(name: string, argument: unknown, options: CallOptions): Promise<T>
  /** Ends running calls at once. */
  close(): Promise<void>
}

export interface ThreadLimits {
  /** The module a thread runs; it calls `answerCalls`. */
  file: URL
  size?: number
  /** Computing time of one call, without the time a busy machine gives to others. */
  budgetMs?: number
  /** Elapsed time after which any call would have finished; it ends only a thread that cannot run at all. */
  patienceMs?: number
  memoryMb?: number
  /** How many `asked` calls of one owner may wait. */
  maxWaiting?: number
  lookEveryMs?: number
  /** The computing time of a thread since its start, in milliseconds. */
  meter?: (worker: Worker) => Promise<number>
}

/** The largest possible mail takes half of it; templates reach the limits that count work long before. */
const BUDGET_MS = 10_000
const PATIENCE_MS = 120_000
/** One for people who wait, one for workers, one for either. */
const MIN_SIZE = 3
/** Each takes some 40 MB. */
const MAX_SIZE = 8
/** More than a person requests at once. */
const MAX_WAITING = 20
const MEMORY_MB = 256
const LOOK_EVERY_MS = 200

interface Task extends CallOptions {
  call: ThreadCall
  resolve: (value: never) => void
  reject: (error: unknown) => void
}
interface Thread {
  worker: Worker
  task: Task | null
  /** Computing time before the current call; null while the thread is still starting. */
  spentMs: number | null
  looking: NodeJS.Timeout | null
}

const computedBy = async (worker: Worker): Promise<number> => {
  const { user, system } = await worker.cpuUsage()
  return (user + system) / 1000
}
const laneOf = ({ kind, owner }: CallOptions): string => `${kind} ${owner}`
const stopping = (): AppError => new AppError('unavailable', 'unavailable', 'the server is stopping')

/** No other, because the code there needs no secrets. A thread that finds what its process has compiled starts in half of the time. */
function environment(): Record<string, string> {
  const compiled = getCompileCacheDir()
  return compiled === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(compiled) }
}

export function createThreads(limits: ThreadLimits): Threads {
  const { file, budgetMs = BUDGET_MS, patienceMs = PATIENCE_MS, memoryMb = MEMORY_MB } = limits
  const { maxWaiting = MAX_WAITING, lookEveryMs = LOOK_EVERY_MS, meter = computedBy } = limits
  const size = limits.size ?? Math.min(MAX_SIZE, Math.max(MIN_SIZE, os.availableParallelism()))
  const perKind = Math.max(1, size - 1)
  const threads = new Set<Thread>()
  /** In the order of their turns. */
  const waiting = new Map<string, Task[]>()
  let closed = false

  const running = (): Task[] => [...threads].flatMap(({ task }) => task ?? [])

  function nextTask(): Task | null {
    const under = running()
    for (const [lane, tasks] of waiting) {
      const [task, ...rest] = tasks
      if (!task || under.some((one) => laneOf(one) === lane)) continue
      if (under.filter(({ kind }) => kind === task.kind).length >= perKind) continue
      waiting.delete(lane)
      // After all others.
      if (rest.length > 0) waiting.set(lane, rest)
      return task
    }
    return null
  }

  function dispatch(): void {
    while (!closed) {
      const idle = [...threads].find(({ task }) => task === null)
      if (!idle && threads.size >= size) return
      const task = nextTask()
      if (!task) return
      begin(idle ?? startThread(), task)
    }
  }

  function startThread(): Thread {
    const worker = new Worker(file, {
      env: environment(),
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    })
    const thread: Thread = { worker, task: null, spentMs: null, looking: null }
    threads.add(thread)
    worker.on('message', (answer: ThreadAnswer) => hear(thread, answer))
    worker.on('error', (error: NodeJS.ErrnoException) =>
      end(thread, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new OverBudget('memory') : error),
    )
    worker.on('exit', () => end(thread, new Error('a thread ended by itself')))
    return thread
  }

  function begin(thread: Thread, task: Task): void {
    const elapsedMs = stopwatch()
    thread.task = task
    // The process stays alive while it computes; idle threads do not keep it alive.
    thread.worker.ref()
    // A thread that has just ended has no computing time. Its end is a separate event.
    thread.looking = setInterval(() => void look(thread, task, elapsedMs).catch(() => undefined), lookEveryMs)
    thread.worker.postMessage(task.call)
  }

  async function look(thread: Thread, task: Task, elapsedMs: () => number): Promise<void> {
    if (elapsedMs() > patienceMs && thread.task === task)
      end(thread, new AppError('unavailable', 'unavailable', 'the machine is too busy'))
    const before = thread.spentMs
    if (before === null) return
    const spentMs = (await meter(thread.worker)) - before
    if (spentMs > budgetMs && thread.task === task) end(thread, new OverBudget('time'))
  }

  function hear(thread: Thread, answer: ThreadAnswer): void {
    thread.spentMs = answer.spentMs
    if (answer.kind === 'ready') return
    const { task } = thread
    if (!task) return
    rest(thread)
    if (answer.kind === 'value') task.resolve(answer.value as never)
    else task.reject(new Error(`in a thread: ${answer.error}`))
    dispatch()
  }

  function rest(thread: Thread): void {
    if (thread.looking) clearInterval(thread.looking)
    thread.looking = null
    thread.task = null
    thread.worker.unref()
  }

  function end(thread: Thread, error: unknown): void {
    if (!threads.delete(thread)) return
    const { task } = thread
    rest(thread)
    void thread.worker.terminate()
    task?.reject(error)
    dispatch()
  }

  return {
    run: (name, argument, { owner, kind }) =>
      new Promise((resolve, reject) => {
        if (closed) throw stopping()
        const task: Task = { owner, kind, call: { name, argument }, resolve, reject }
        const before = waiting.get(laneOf(task)) ?? []
        if (kind === 'asked' && before.length >= maxWaiting)
          throw new AppError('rate_limited', 'rate_limited', 'too many at once; wait for the first answers')
        waiting.set(laneOf(task), [...before, task])
        dispatch()
      }),
    async close() {
      closed = true
      const left = [...waiting.values()].flat()
      waiting.clear()
      for (const { reject } of left) reject(stopping())
      const workers = [...threads].map(({ worker }) => worker)
      for (const thread of threads) end(thread, stopping())
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }
}
