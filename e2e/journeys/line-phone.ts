import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { sandboxUrl } from '../addresses.ts'
import { settle } from './outside-world.ts'

// The sandbox's LINE: official accounts, and people with phones.

export interface OfficialAccount {
  id: number
  name: string
  channel_id: string
  channel_secret: string
}
export interface Person {
  user_id: string
  name: string
}

export async function openAccount(request: APIRequestContext, name: string): Promise<OfficialAccount> {
  const answer = await request.post(`${sandboxUrl}/line/accounts.json`, { data: { name } })
  return ((await answer.json()) as { account: OfficialAccount }).account
}

/** A person whom the account does not know. */
export async function findPerson(request: APIRequestContext, account: OfficialAccount): Promise<Person> {
  const answer = await request.get(`${sandboxUrl}/line/users.json`, {
    params: { limit: 1, account: String(account.id) },
  })
  const [person] = ((await answer.json()) as { data: Person[] }).data
  if (!person) throw new Error('nobody is on LINE')
  return person
}

/** The phone of that person, with their chat with the account. */
export const openPhone = (phone: Page, person: Person, account: OfficialAccount) =>
  phone.goto(`${sandboxUrl}/line/users/${person.user_id}?account=${account.id}`)

export async function press(phone: Page, button: RegExp): Promise<void> {
  const taken = phone.waitForResponse((answer) => answer.request().method() === 'POST')
  await phone.getByRole('button', { name: button }).first().click()
  // What is still on its way is nothing that can be settled.
  await taken
  await settle(phone.request)
}

export async function befriend(phone: Page, person: Person, account: OfficialAccount): Promise<void> {
  await openPhone(phone, person, account)
  await press(phone, /友だち追加|Add as friend/)
  await expect(phone.getByRole('textbox', { name: /メッセージ|Message/ })).toBeVisible()
}
