import type { APIRequestContext, Page } from '@playwright/test'
import { sandboxUrl } from '../addresses.ts'
import { settle } from './outside-world.ts'

// LINE in the sandbox: official accounts and people’s phones.

export interface Account {
  id: number
  name: string
  channel_id: string
  channel_secret: string
}
export interface Person {
  user_id: string
  name: string
}

export async function openAccount(request: APIRequestContext, name: string): Promise<Account> {
  const answer = await request.post(`${sandboxUrl}/line/accounts.json`, { data: { name } })
  return ((await answer.json()) as { account: Account }).account
}

/** Somebody whom the account does not know. */
export async function findPerson(request: APIRequestContext, account: Account): Promise<Person> {
  const answer = await request.get(`${sandboxUrl}/line/users.json`, {
    params: { limit: 1, account: String(account.id) },
  })
  const [person] = ((await answer.json()) as { data: Person[] }).data
  if (!person) throw new Error('nobody is on LINE')
  return person
}

/** The phone of a person, on which the chat with the account is open. */
export async function openPhone(page: Page, account: Account, person: Person): Promise<Page> {
  const phone = await page.context().newPage()
  await phone.goto(`${sandboxUrl}/line/users/${person.user_id}?account=${account.id}`)
  return phone
}

/** On the phone of that person. */
export async function press(phone: Page, button: RegExp): Promise<void> {
  await phone.getByRole('button', { name: button }).first().click()
  await settle(phone.request)
}
