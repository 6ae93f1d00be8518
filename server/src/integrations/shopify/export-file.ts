import { Readable } from 'node:stream'
import { IntegrationError } from '../../kernel/errors.ts'

/** The lines of a bulk operation's file, read as they come. Throws a retryable {@link IntegrationError} when it breaks off. */
export async function* readExportLines(url: string): AsyncGenerator<string> {
  try {
    const response = await fetch(url)
    if (!response.ok || !response.body)
      throw new IntegrationError('shopify', true, `export file: HTTP ${response.status}`)
    const decoder = new TextDecoder()
    let rest = ''
    for await (const part of Readable.fromWeb(response.body)) {
      const lines = (rest + decoder.decode(part as Uint8Array, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') yield line
    }
    if (rest !== '') yield rest
  } catch (error) {
    // What fetch throws for every trouble on the wire, silence of five minutes included.
    if (error instanceof TypeError)
      throw new IntegrationError('shopify', true, 'export file: broke off', { cause: error })
    throw error
  }
}
