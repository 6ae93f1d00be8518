import type { Context } from '../../kernel/context.ts'

/** What was found, for a while: of one process, the oldest forgotten first. */
export function createMemory<V>({ lastsMs, most }: { lastsMs: number; most: number }) {
  const kept = new WeakMap<Context, Map<string, { at: number; value: V }>>()
  return {
    /** Undefined: not known, or no longer. */
    find(context: Context, key: string): V | undefined {
      const found = kept.get(context)?.get(key)
      return found && Math.abs(context.clock.now().getTime() - found.at) < lastsMs ? found.value : undefined
    },
    keep(context: Context, key: string, value: V): void {
      const entries = kept.get(context) ?? new Map<string, { at: number; value: V }>()
      kept.set(context, entries)
      entries.delete(key)
      const [oldest] = entries.keys()
      if (entries.size >= most && oldest !== undefined) entries.delete(oldest)
      entries.set(key, { at: context.clock.now().getTime(), value })
    },
  }
}
