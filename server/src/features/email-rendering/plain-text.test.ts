import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test('each row of a table is a line, its cells apart, whatever the rows are in', () => {
  const rows =
    '<tr><th>商品</th><th>数</th></tr><tr><td>煎茶</td><td>2</td></tr><tr><td>{{ item.title }}</td><td>1</td></tr>'
  const lines = ['商品 数', '煎茶 2', '{{ item.title }} 1']
  for (const table of [`<table>${rows}</table>`, `<table><tbody>${rows}</tbody></table>`])
    expect(
      plainText(`<p>ご注文</p>${table}<p>以上</p>`)
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    ).toEqual(['ご注文', ...lines, '以上'])
})

test('a table that only lays out keeps its paragraphs', () => {
  const text = plainText('<table><tr><td><p>一</p><p>二</p></td></tr><tr><td>三</td></tr></table>')
  expect(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ).toEqual(['一', '二', '三'])
})

test('a link ends before what follows it, and spacers leave one empty line', () => {
  const spacer = '<table><tr><td style="height:20px">&nbsp;</td></tr></table>'
  expect(plainText(`<p>一</p>${spacer}${spacer}<p><a href="https://a.test/u/1">停止</a>できます。</p>`)).toBe(
    '一\n\n停止 ( https://a.test/u/1 )できます。',
  )
  expect(plainText('<a href="https://a.test/">https://a.test/</a>')).toBe('https://a.test/')
})
