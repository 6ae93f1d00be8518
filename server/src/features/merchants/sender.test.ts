import { expect, test } from 'vitest'
import { senderOf } from './sender.ts'

const settings = {
  sender_name: 'おかえり商店',
  sender_email: 'news@shop.example',
  reply_to: 'help@shop.example',
  senders: [],
}

test('a mail is from whom its email names, else from whom the settings name; answers go where the settings say', () => {
  const from = (from_name: string | null, from_email: string | null) => senderOf({ from_name, from_email }, settings)
  expect(from('花屋', 'flowers@shop.example')).toEqual({
    name: '花屋',
    email: 'flowers@shop.example',
    replyTo: 'help@shop.example',
  })
  expect(from(null, 'flowers@shop.example').name).toBe('おかえり商店')
  expect(from('花屋', null).email).toBe('news@shop.example')
})

test('an empty name or address of an email says nothing, for every way of sending alike', () => {
  expect(senderOf({ from_name: '', from_email: '' }, settings)).toEqual({
    name: 'おかえり商店',
    email: 'news@shop.example',
    replyTo: 'help@shop.example',
  })
})

test('where no address is named there is none', () => {
  const unset = { sender_name: '', sender_email: '', reply_to: null, senders: [] }
  expect(senderOf({ from_name: null, from_email: null }, unset)).toEqual({ name: '', email: '', replyTo: null })
})

test('a saved sender gives its name where the email names none, and says where answers go', () => {
  const senders = [{ id: '1', name: '花屋', email: 'Flowers@shop.example', reply_to: null }]
  const from = (from_email: string, from_name: string | null = null) =>
    senderOf({ from_name, from_email }, { ...settings, senders })
  expect(from('flowers@shop.example')).toEqual({ name: '花屋', email: 'flowers@shop.example', replyTo: null })
  expect(from('flowers@shop.example', '季節の花').name).toBe('季節の花')
  expect(from('other@shop.example')).toMatchObject({ name: 'おかえり商店', replyTo: 'help@shop.example' })
})
