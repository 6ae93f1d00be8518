import net from 'node:net'

export interface TestImapServer {
  url: string
  /** In the order they came; `seen` as the client marked them. */
  mails: { raw: Buffer; seen: boolean; isBroken?: boolean }[]
  /** Puts a mail in, and says so to those who wait for it. */
  arrives(raw: Buffer): void
  /** Resolves when a client waits for news (IDLE). */
  someoneIdles(): Promise<void>
  /** Resolves when the next mail is marked as seen. */
  oneIsSeen(): Promise<void>
  /** Cuts the connections. */
  cut(): void
  close(): Promise<void>
}

/** One mailbox of one user (RFC 3501), as far as a client that reads what is new asks for it. */
export async function startImapServer(user: { name: string; password: string }): Promise<TestImapServer> {
  const mails: TestImapServer['mails'] = []
  const sockets = new Set<net.Socket>()
  const idling = new Map<net.Socket, string>()
  const idles: (() => void)[] = []
  const seen: (() => void)[] = []
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => {
      sockets.delete(socket)
      idling.delete(socket)
    })
    socket.on('error', () => {})
    socket.write('* OK [CAPABILITY IMAP4rev1 IDLE] test\r\n')
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
    const waits = idling.get(socket)
    if (waits !== undefined && line === 'DONE') {
      idling.delete(socket)
      socket.write(`${waits} OK\r\n`)
      return
    }
    const [, tag = '', command = '', rest = ''] = /^(\S+) ((?:UID )?\S+) ?(.*)$/i.exec(line) ?? []
    const say = (...lines: string[]): void => void socket.write(lines.map((one) => `${one}\r\n`).join(''), 'latin1')
    switch (command.toUpperCase()) {
      case 'CAPABILITY':
        return say('* CAPABILITY IMAP4rev1 IDLE', `${tag} OK`)
      case 'LOGIN':
        return say(
          rest.replaceAll('"', '') === `${user.name} ${user.password}`
            ? `${tag} OK`
            : `${tag} NO [AUTHENTICATIONFAILED] no`,
        )
      case 'LIST':
        return say('* LIST (\\HasNoChildren) "/" "INBOX"', `${tag} OK`)
      case 'SELECT':
      case 'EXAMINE':
        return say(
          '* FLAGS (\\Seen)',
          `* ${mails.length} EXISTS`,
          '* OK [UIDVALIDITY 1] ok',
          `* OK [UIDNEXT ${mails.length + 1}] ok`,
          `${tag} OK [READ-WRITE] selected`,
        )
      case 'IDLE':
        idling.set(socket, tag)
        say('+ idling')
        for (const notify of idles.splice(0)) notify()
        return undefined
      case 'UID SEARCH':
        return say(`* SEARCH ${mails.flatMap(({ seen }, i) => (seen ? [] : i + 1)).join(' ')}`.trim(), `${tag} OK`)
      case 'UID FETCH': {
        const uid = Number.parseInt(rest, 10)
        const most = Number(/<0\.(\d+)>/.exec(rest)?.[1] ?? Number.POSITIVE_INFINITY)
        // As Dovecot does over a damaged file.
        if (mails[uid - 1]?.isBroken) return void socket.end()
        const body = mails[uid - 1]?.raw.subarray(0, most)
        if (!body) return say(`${tag} OK`)
        return say(`* ${uid} FETCH (UID ${uid} BODY[]<0> {${body.length}}\r\n${body.toString('latin1')})`, `${tag} OK`)
      }
      case 'UID STORE': {
        const mail = mails[Number.parseInt(rest, 10) - 1]
        if (mail) mail.seen = true
        say(`${tag} OK`)
        for (const notify of seen.splice(0)) notify()
        return undefined
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
    arrives(raw) {
      mails.push({ raw, seen: false })
      for (const socket of idling.keys()) socket.write(`* ${mails.length} EXISTS\r\n`)
    },
    someoneIdles: () =>
      new Promise((resolve) => {
        if (idling.size > 0) resolve()
        else idles.push(resolve)
      }),
    oneIsSeen: () => new Promise((resolve) => void seen.push(resolve)),
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
