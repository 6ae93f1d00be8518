import { expect, test } from 'vitest'
import { renderFile } from './export-document.ts'

const section = (rows: Record<string, unknown>[]) => [
  { table: 'customers', title: { ja: '顧客', en: 'Customer' }, rows, is_cut: false },
]
const told = (rows: Record<string, unknown>[]) => ({
  format: 'okaeri-customer-data' as const,
  version: 1 as const,
  merchant: 'テスト商店',
  timezone: 'Asia/Tokyo',
  created_at: '2026-11-24T00:00:00Z',
  sections: section(rows),
})

test('a permission is told in the words of the pages; the same word elsewhere means what it means there', () => {
  const permissions = told([{ marketing_state: 'unknown', notification_state: 'withdrawn' }])
  expect(renderFile(permissions, 'en')).toContain('<dt>Marketing permission</dt><dd>never subscribed</dd>')
  expect(renderFile(permissions, 'ja')).toContain('<dt>メール通知許可</dt><dd>配信停止</dd>')
  const elsewhere = told([{ status: 'pending', verdict: 'unknown' }])
  expect(renderFile(elsewhere, 'en')).toContain('<dt>Status</dt><dd>waiting</dd>')
  expect(renderFile(elsewhere, 'ja')).toContain('<dd>不明</dd>')
})
