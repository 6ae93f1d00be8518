import net from 'node:net'

export interface TestImapServer {
  url: string
  /** In the order they came; `seen` as the client marked them. */
  mails: { raw: Buffer; seen: boolean }[]
  close(): Promise<void>
}

/** One mailbox of one user (RFC 3501), as far as a client that reads what is new asks for it. */
export async function startImapServer(user: { name: string; password: string }): Promise<TestImapServer> {
  const mails: TestImapServer['mails'] = []
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.write('* OK [CAPABILITY IMAP4rev1] test\r\n')
    let said = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      said += text
      for (let end = said.indexOf('\r\n'); end !== -1; end = said.indexOf('\r\n')) {
        const line = said.slice(0, end)
        said = said.slice(end + 2)
        answer(socket, line)
      }
    })
  })

  function answer(socket: net.Socket, line: string): void {
    const [, tag = '', command = '', rest = ''] = /^(\S+) ((?:UID )?\S+) ?(.*)$/i.exec(line) ?? []
    const say = (...lines: string[]): void => void socket.write(lines.map((one) => `${one}\r\n`).join(''), 'latin1')
    switch (command.toUpperCase()) {
      case 'CAPABILITY':
        return say('* CAPABILITY IMAP4rev1', `${tag} OK`)
      case 'LOGIN':
        return say(
          rest.replaceAll('"', '') === `${user.name} ${user.password}`
            ? `${tag} OK`
            : `${tag} NO [AUTHENTICATIONFAILED] no`,
        )
      case 'LIST':
        return say('* LIST (\\HasNoChildren) "/" "INBOX"', `${tag} OK`)
      case 'SELECT':
        return say(
          '* FLAGS (\\Seen)',
          `* ${mails.length} EXISTS`,
          '* OK [UIDVALIDITY 1] ok',
          `* OK [UIDNEXT ${mails.length + 1}] ok`,
          `${tag} OK [READ-WRITE] selected`,
        )
      case 'UID SEARCH':
        return say(`* SEARCH ${mails.flatMap(({ seen }, i) => (seen ? [] : i + 1)).join(' ')}`.trim(), `${tag} OK`)
      case 'UID FETCH': {
        const uid = Number.parseInt(rest, 10)
        const most = Number(/<0\.(\d+)>/.exec(rest)?.[1] ?? Number.POSITIVE_INFINITY)
        const body = mails[uid - 1]?.raw.subarray(0, most)
        if (!body) return say(`${tag} OK`)
        return say(`* ${uid} FETCH (UID ${uid} BODY[]<0> {${body.length}}\r\n${body.toString('latin1')})`, `${tag} OK`)
      }
      case 'UID STORE': {
        const mail = mails[Number.parseInt(rest, 10) - 1]
        if (mail) mail.seen = true
        return say(`${tag} OK`)
      }
      default:
        return say(`${tag} OK`)
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  return {
    url: `imap://${user.name}:${user.password}@127.0.0.1:${port}/INBOX`,
    mails,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
