import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The app's theme extension, as the platform has it after its deploy: in the platform's layout, a folder of Liquid and files. */
export interface Extension {
  blocks: ReadonlyMap<string, Block>
  /** By the name they are rendered by. */
  snippets: Readonly<Record<string, string>>
  assets: ReadonlyMap<string, string>
}

export interface Block {
  liquid: string
  schema: {
    name: string
    target: 'body' | 'head' | 'section'
    stylesheet?: string
    settings: { id?: string; default?: unknown }[]
  }
}

const schemaTag = /\{%-?\s*schema\s*-?%\}([\s\S]*?)\{%-?\s*endschema\s*-?%\}/

/** Null where there is none. */
export function readExtension(folder: string): Extension | null {
  if (!existsSync(join(folder, 'shopify.extension.toml'))) return null
  const files = (part: string): [name: string, text: string][] =>
    existsSync(join(folder, part))
      ? readdirSync(join(folder, part)).map((name) => [name, readFileSync(join(folder, part, name), 'utf8')])
      : []
  const named = (part: string): [name: string, text: string][] =>
    files(part).map(([name, text]) => [name.replace(/\.liquid$/, ''), text])
  return {
    blocks: new Map(named('blocks').map(([name, text]) => [name, blockOf(name, text)])),
    snippets: Object.fromEntries(named('snippets')),
    assets: new Map(files('assets')),
  }
}

function blockOf(name: string, text: string): Block {
  const schema = schemaTag.exec(text)?.[1]
  if (schema === undefined) throw new Error(`the block ${name} of the theme extension has no schema`)
  return { liquid: text.replace(schemaTag, '').trim(), schema: JSON.parse(schema) as Block['schema'] }
}
