import { IntegrationError } from '../../kernel/errors.ts'

/** A download that sends nothing for this long has broken off, even if its connection stays open. */
const SILENCE_MS = 30_000

/** One object with its metafields. Looking for the end of a line grows with its length, and memory holds it. */
const LONGEST_LINE = 16 * 1024 * 1024

/** What the platform reported about a finished export. By it a file is known to be complete. */
export interface ExportSize {
  /** Size of the unpacked file; null when the platform did not report it. */
  bytes: number | null
  /** A line each. */
  objects: number
}

/**
 * The lines of a bulk operation's file, read as they arrive. Throws a retryable {@link IntegrationError} `file_broken` when the file breaks
 * off, stalls, cannot be unpacked, or has fewer bytes or lines than reported: a proxy may end an answer early without a sign. `file_gone`:
 * its address has expired, and the operation gives a new one.
 */
export async function* readExportLines(
  url: string,
  whole: ExportSize | null,
  { silenceMs = SILENCE_MS } = {},
): AsyncGenerator<string> {
  const leaving = new AbortController()
  const decoder = new TextDecoder()
  let [rest, bytes, lines] = ['', 0, 0]
  try {
    const response = await inTime(fetch(url, { signal: leaving.signal }), silenceMs)
    if (!response.ok || !response.body) throw broken(response.status)
    const reader = response.body.getReader()
    for (;;) {
      // Only while something is asked for: the database may take its time between two parts.
      const { done, value } = await inTime(reader.read(), silenceMs)
      if (done) break
      bytes += value.length
      const parts = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = parts.pop() ?? ''
      if (rest.length > LONGEST_LINE) throw new IntegrationError('shopify', true, 'file_broken: a line without end')
      for (const line of parts) {
        if (line === '') continue
        lines += 1
        yield line
      }
    }
    rest += decoder.decode()
    if (whole && bytes !== whole.bytes && lines + (rest === '' ? 0 : 1) !== whole.objects)
      throw new IntegrationError('shopify', true, `file_broken: ends after ${lines} of ${whole.objects} objects`)
    if (rest !== '') yield rest
  } finally {
    leaving.abort()
  }
}

/** Parses what was written for us; half a line, or a gateway's page instead of the file, is a broken file. */
export function parseExportLine<T extends { id: string }>(line: string, parse: (text: string) => unknown): T {
  let value: unknown
  try {
    value = parse(line)
  } catch (error) {
    throw new IntegrationError('shopify', true, 'file_broken: a line that is no JSON', { cause: error })
  }
  if (typeof value !== 'object' || value === null || typeof (value as { id?: unknown }).id !== 'string')
    throw new IntegrationError('shopify', true, 'file_broken: a line without an id')
  return value as T
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const silence = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => silence.reject(new IntegrationError('shopify', true, `file_broken: silent for ${ms} ms`)),
    ms,
  )
  try {
    return await Promise.race([work, silence.promise])
  } catch (error) {
    if (error instanceof IntegrationError) throw error
    throw new IntegrationError('shopify', true, 'file_broken: broke off', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** An address that has run out is answered with one of these, depending on who keeps the files. */
const GONE: readonly number[] = [400, 403, 404, 410]
const broken = (status: number): IntegrationError =>
  new IntegrationError('shopify', true, `${GONE.includes(status) ? 'file_gone' : 'file_broken'}: HTTP ${status}`)
