import * as contract from '@okaeri/contract/birthdays/routes'
import type { FastifyRequest } from 'fastify'
import { unauthorized } from '../../kernel/errors.ts'
import type { Routes, Visitor } from '../../kernel/http/http.ts'
import { countAttempt, type RateLimit } from '../../kernel/rate-limits.ts'
import { readShopper } from '../stores/index.ts'
import { enterBirthday, enterBirthdayOf, getOwnBirthday, presentBirthday } from './birthday.ts'
import { birthdayScript } from './script.ts'

/** What a page of the storefront asks by itself. */
const readsOfCustomer: RateLimit = { name: 'birthday_read', max: 120, windowSeconds: 60 }
const entriesOfCustomer: RateLimit = { name: 'birthday_customer', max: 20, windowSeconds: 600 }
/** Longer than the platform's signature is believed. The body is not signed: who saw one request cannot send another body with it. */
const entriesBySignature: RateLimit = { name: 'birthday_signature', max: 1, windowSeconds: 120 }

export function birthdayRoutes(on: Routes): void {
  on.open(contract.getOwnBirthday)(async ({ context, request, reply }) => {
    const shopper = await readShopper(context, request)
    await countAttempt(context, reply, [[readsOfCustomer, `${shopper.shopDomain} ${shopper.storeCustomerId}`]])
    return { birthday: await getOwnBirthday(shopper) }
  })
  on.open(contract.enterBirthday)(async ({ context, request, reply, body }) => {
    const shopper = await readShopper(context, request)
    await countAttempt(context, reply, [
      [entriesBySignature, signatureOf(request)],
      [entriesOfCustomer, `${shopper.shopDomain} ${shopper.storeCustomerId}`],
    ])
    return { birthday: await enterBirthday(shopper, body.birthday) }
  })
  on.visitor(contract.getBirthdayByExtension)(async ({ context, scope, visitor, reply }) => {
    const customerId = customerOf(visitor)
    await countAttempt(context, reply, [[readsOfCustomer, customerId]])
    return { birthday: await presentBirthday(scope, customerId) }
  })
  on.visitor(contract.enterBirthdayByExtension)(async ({ context, scope, visitor, reply, body }) => {
    const customerId = customerOf(visitor)
    await countAttempt(context, reply, [[entriesOfCustomer, customerId]])
    return { birthday: await enterBirthdayOf(scope, customerId, body.birthday) }
  })
  on.open(contract.birthdayScript)(async ({ context, request, reply }) => {
    const { storeCustomerId, shopDomain } = await readShopper(context, request)
    return reply
      .header('cache-control', 'no-store')
      .type('text/javascript; charset=utf-8')
      .send(storeCustomerId === null ? '' : birthdayScript(context, shopDomain))
  })
}

function customerOf({ holder }: Visitor): string {
  if ('customerId' in holder) return holder.customerId
  throw unauthorized('customer_not_signed_in', 'no one is signed in at the store')
}

const signatureOf = ({ raw }: FastifyRequest): string =>
  new URL(raw.url ?? '', 'http://query').searchParams.get('signature') ?? ''
