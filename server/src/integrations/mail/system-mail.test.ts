import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { createSystemMail } from './system-mail.ts'

const PASSWORD = 'p@ss/w#rd:1 %?'

test('a mail server of one’s own certificate is taken with ?tls=unverified alone, and passwords may hold any sign', async () => {
  const received: { user: string | undefined; secure: boolean }[] = []
  // The certificate is the library's own, so it is not trusted.
  const server = new SMTPServer({
    onAuth: ({ username, password }, _session, done) =>
      password === PASSWORD ? done(null, { user: username }) : done(new Error('wrong password')),
    onData(stream, session, done) {
      received.push({ user: session.user as string | undefined, secure: session.secure })
      stream.resume().once('end', () => done())
    },
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.server.address() as AddressInfo
  const smtpUrl = `smtp://mailer:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`
  const mail = { to: 'a@shop.example', subject: 's', text: 't', html: '<p>t</p>' }
  const strict = createSystemMail({ smtpUrl, sender: 'no-reply@okaeri.example' })
  await expect(strict.send(mail)).rejects.toThrow('smtp')
  const trusting = createSystemMail({ smtpUrl: `${smtpUrl}?tls=unverified`, sender: 'no-reply@okaeri.example' })
  await trusting.send(mail)
  expect(received).toEqual([{ user: 'mailer', secure: true }])
  for (const each of [strict, trusting]) each.close()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})
