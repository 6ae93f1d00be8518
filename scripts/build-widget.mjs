// The script of shops' pages, for tests that are run alone; `npm start` and `npm test` build it with the pages.
import { buildWidget } from './lib.mjs'

buildWidget()
