import { type ExportSize, parseExportLine, readExportLines } from '../../integrations/shopify/export-file.ts'
import { parseStorableJson } from '../../kernel/storable-json.ts'

/** A finished export. */
export interface ExportFile {
  url: string
  whole: ExportSize
}

/** A root object of an export with its children, as parsed from its lines. */
export interface ExportedObject {
  node: unknown
  children: unknown[]
}
/** The length of its lines. */
interface ExportedText extends ExportedObject {
  characters: number
}

/**
 * The objects of an export after the first `skipped` ones, as a stream. Throws a retryable {@link IntegrationError} if the file is truncated.
 */
export async function* readExport({ url, whole }: ExportFile, skipped = 0): AsyncGenerator<ExportedText> {
  let current: ExportedText | null = null
  let left = skipped
  for await (const line of readExportLines(url, whole)) {
    // Skipped lines are not parsed: children follow their parents.
    if (current === null && (left > 0 || skipped > 0) && line.includes('"__parentId"')) continue
    if (left > 0) {
      left -= 1
      continue
    }
    const node = parseExportLine<{ id: string; __parentId?: string }>(line, parseStorableJson)
    if (node.__parentId !== undefined) {
      if (!current) continue
      current.children.push(node)
      current.characters += line.length
      continue
    }
    if (current) yield current
    current = { node, children: [], characters: line.length }
  }
  if (current) yield current
}
