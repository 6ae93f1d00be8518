import { createHash } from 'node:crypto'
import path from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'

// Evaluated before each file, also where files share a process. What a file draws by lot follows from its name, and for `check:all` from a
// number that is new each time (vitest.config.ts; docs/decisions/0203).
const file = path.relative(path.join(import.meta.dirname, '../..'), expect.getState().testPath ?? '')
const drawn = createHash('sha256').update(`${process.env['CHECK_SEED'] ?? ''} ${file}`)
fc.configureGlobal({ seed: drawn.digest().readInt32BE() })
