import { parentPort } from 'node:worker_threads'

export interface ThreadCall {
  name: string
  argument: unknown
}
/** `spentMs`: the computing time of the thread since its start. */
export type ThreadAnswer = { spentMs: number } & (
  | { kind: 'ready' }
  | { kind: 'value'; value: unknown }
  | { kind: 'error'; error: string }
)

/** The code inside a thread (`threads.ts`): answers one call after another. Mistakes of people are values, not thrown. */
export function answerCalls(calls: Readonly<Record<string, (argument: never) => unknown>>): void {
  const port = parentPort
  if (!port) throw new Error('not in a thread')
  const spentMs = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const answerTo = async ({ name, argument }: ThreadCall): Promise<ThreadAnswer> => {
    try {
      const call = calls[name]
      if (!call) throw new Error(`there is no call ${name}`)
      return { kind: 'value', value: await call(argument as never), spentMs: spentMs() }
    } catch (error) {
      return {
        kind: 'error',
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        spentMs: spentMs(),
      }
    }
  }
  port.on('message', (call: ThreadCall) => void answerTo(call).then((answer) => port.postMessage(answer)))
  port.postMessage({ kind: 'ready', spentMs: spentMs() } satisfies ThreadAnswer)
}
