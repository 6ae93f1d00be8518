import { expect, test } from 'vitest'
import { renderFile } from './export-document.ts'

const section = (rows: Record<string, unknown>[]) => [
  { table: 'customers', title: { ja: '顧客', en: 'Customer' }, rows, is_cut: false },
]
const dataWith = (rows: Record<string, unknown>[]) => ({
  format: 'okaeri-customer-data' as const,
  version: 1 as const,
  merchant: 'テスト商店',
  timezone: 'Asia/Tokyo',
  created_at: '2026-11-24T00:00:00Z',
  sections: section(rows),
})

test('consent is written in the words of the pages; the same word in another column keeps its own meaning', () => {
  const permissions = dataWith([{ marketing_state: 'unknown', notification_state: 'withdrawn' }])
  expect(renderFile(permissions, 'en')).toContain('<dt>Marketing permission</dt><dd>never subscribed</dd>')
  expect(renderFile(permissions, 'ja')).toContain('<dt>メール通知許可</dt><dd>配信停止</dd>')
  const elsewhere = dataWith([{ status: 'pending', verdict: 'unknown' }])
  expect(renderFile(elsewhere, 'en')).toContain('<dt>Status</dt><dd>waiting</dd>')
  expect(renderFile(elsewhere, 'ja')).toContain('<dd>不明</dd>')
})
