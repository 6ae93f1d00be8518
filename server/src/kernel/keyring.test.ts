import { expect, test } from 'vitest'
import { createKeyring } from './keyring.ts'
import { generateSecrets } from './secrets-file.ts'

test('a text sealed for a link is the same each time, and opens only unchanged and for its purpose', () => {
  const keyring = createKeyring(generateSecrets())
  for (const plain of ['U0123456789abcdef0123456789abcdef', '山田 花子', 'x']) {
    const sealed = keyring.sealForLink('a', plain)
    expect(keyring.sealForLink('a', plain)).toBe(sealed)
    expect(sealed).toMatch(/^[\w-]+$/)
    expect(sealed).not.toContain(plain.slice(0, 6).padEnd(6))
    expect(keyring.openFromLink('a', sealed)).toBe(plain)
    expect(keyring.openFromLink('b', sealed)).toBeNull()
    expect(createKeyring(generateSecrets()).openFromLink('a', sealed)).toBeNull()
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === 'A' ? 'B' : 'A'
      expect(keyring.openFromLink('a', sealed.slice(0, at) + other + sealed.slice(at + 1))).toBeNull()
    }
  }
  for (const wrong of ['', 'A', 'A'.repeat(22), '===', 'v1.a.b.c.d'])
    expect(keyring.openFromLink('a', wrong)).toBeNull()
})

test('a token opens only unchanged, for its purpose and with the same secrets, and never looks the same', () => {
  const secrets = generateSecrets()
  const keyring = createKeyring(secrets)
  for (const plain of ['{"merchantId":"m"}', '山田 花子', 'x']) {
    const sealed = keyring.sealToken('a', plain)
    expect(keyring.sealToken('a', plain)).not.toBe(sealed)
    expect(sealed).toMatch(/^[\w-]+$/)
    expect(createKeyring(secrets).openToken('a', sealed)).toBe(plain)
    expect(keyring.openToken('b', sealed)).toBeNull()
    expect(keyring.openFromLink('a', sealed)).toBeNull()
    expect(createKeyring(generateSecrets()).openToken('a', sealed)).toBeNull()
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === 'A' ? 'B' : 'A'
      expect(keyring.openToken('a', sealed.slice(0, at) + other + sealed.slice(at + 1))).toBeNull()
    }
    expect(keyring.openToken('a', sealed.slice(0, -4))).toBeNull()
    expect(keyring.openToken('a', `${sealed}AAAA`)).toBeNull()
  }
  expect(keyring.openToken('a', keyring.sealForLink('a', '{"merchantId":"m"}'))).toBeNull()
  for (const wrong of ['', 'A', 'A'.repeat(43), 'A'.repeat(64), '===', 'v1.a.b.c.d'])
    expect(keyring.openToken('a', wrong)).toBeNull()
})
