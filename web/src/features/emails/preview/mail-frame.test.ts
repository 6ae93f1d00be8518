import { describe, expect, test } from 'vitest'
import { frameDocument } from './mail-frame.ts'

describe('the document of a preview', () => {
  test('leaves the doctype first and opens no link in the frame', () => {
    const made = frameDocument('<!doctype html><html><head><title>a</title></head><body>b</body></html>', false)
    expect(made).toMatch(/^<!doctype html><html><head><base target="_blank"><title>/)
  })
  test('shows a fragment without a head too', () => {
    expect(frameDocument('<p>hello</p>', false)).toBe('<base target="_blank"><p>hello</p>')
  })
  test('draws marks of ours before the styles of the mail', () => {
    expect(frameDocument('<head><style>a{}</style></head>', false, 'a{color:red}')).toBe(
      '<head><base target="_blank"><style>a{color:red}</style><style>a{}</style></head>',
    )
  })
  test('turns a mail without dark styles round, and lets one with dark styles use them', () => {
    expect(frameDocument('<p>hello</p>', true)).toContain('invert(1)')
    const own = '<style>@media (prefers-color-scheme: dark) { p { color: #fff } }</style><p>hello</p>'
    expect(frameDocument(own, true)).not.toContain('invert(1)')
    expect(frameDocument(own, true)).toContain('@media (min-width: 0px)')
    expect(frameDocument(own, false)).toContain('@media (max-width: 0px)')
  })
})
