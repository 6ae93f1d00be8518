import { expect, test } from 'vitest'
import { imageTag } from './image-tag.ts'

const picture = {
  url: 'https://okaeri.test/image/a',
  mail: { url: 'https://okaeri.test/image/a-mail', width: 1200, height: 800, size_bytes: 1 },
  width: 2400,
  alt_text: '新茶',
}

test('a picture in a mail is as wide as the mail, a smaller one as itself', () => {
  expect(imageTag(picture)).toBe(
    '<img src="https://okaeri.test/image/a-mail" alt="新茶" width="600" style="display:block;max-width:100%;height:auto">',
  )
  expect(imageTag({ ...picture, width: 120 })).toContain('width="120"')
})

test('what people wrote as alt text is no code and no tag', () => {
  expect(imageTag({ ...picture, alt_text: '"><script>{{ customer.email }}' })).toContain(
    'alt="&quot;&gt;&lt;script&gt;&#123;&#123; customer.email &#125;&#125;"',
  )
})
