import fs from 'node:fs'
import path from 'node:path'

/** A feature as its folder shows it. */
export interface MappedFeature {
  name: string
  readme: string
  /** What its files import, relative as they say it; no tests. */
  imports: readonly string[]
}

const LONG = 110

/** What a README says first: behind the colon of its title, else its first sentence, or the beginning of a long one. */
export function aboutOf(readme: string): string {
  const [title = '', ...rest] = readme.split('\n')
  const [, inTitle] = /^# [^:]+: (.+)$/.exec(title) ?? []
  const [paragraph = ''] = rest.join('\n').trim().split('\n\n')
  const [sentence = ''] = paragraph
    .replaceAll('\n', ' ')
    .replaceAll('**', '')
    .split(/\.(?: |$)/)
  const said = inTitle ?? (sentence.length > LONG ? (sentence.split(/[:;] /)[0] ?? '') : sentence)
  const about = said.replace(/ \(.*$/, '').replace(/\.$/, '')
  return about.charAt(0).toUpperCase() + about.slice(1)
}

/** The floors from the lowest, each feature with what it is about and which features it calls. */
export function houseMap(floors: readonly (readonly string[])[], features: readonly MappedFeature[]): string {
  const rows = floors.flatMap((names, floor) =>
    names.map((name) => {
      const feature = features.find((one) => one.name === name)
      if (!feature) throw new Error(`there is no folder of the feature ${name}`)
      const called = feature.imports.flatMap(
        (target) => /^\.\.\/(?:\.\.\/)*([a-z-]+)\/index\.ts$/.exec(target)?.[1] ?? [],
      )
      const calls = [...new Set(called)].filter((one) => one !== name && floors.flat().includes(one)).sort()
      return `| ${floor} | [${name}](server/src/features/${name}/README.md) | ${aboutOf(feature.readme)} | ${calls.join(', ') || '–'} |`
    }),
  )
  return ['| floor | feature | about | calls |', '|---|---|---|---|', ...rows].join('\n')
}

export function readFeatures(folder: string): MappedFeature[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const files = fs
        .readdirSync(path.join(folder, name), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      const texts = files.map((file) => fs.readFileSync(path.join(folder, name, file), 'utf8'))
      const imports = texts.flatMap((text) => [...text.matchAll(/ from '([^']+)'/g)].map(([, target = '']) => target))
      return { name, readme: fs.readFileSync(path.join(folder, name, 'README.md'), 'utf8'), imports }
    })
}
