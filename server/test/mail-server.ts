import type net from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'

export interface TestMailServer {
  url: string
  /** Breaks this connection, as a server does that dies. */
  hangUp(session: SMTPServerSession): void
  close(): Promise<void>
}

/** A mail server in this process, on a port of its own; what it answers the options say. */
export async function startMailServer(options: SMTPServerOptions): Promise<TestMailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    ...options,
  })
  // Clients may be killed in the middle of a mail.
  server.on('error', () => undefined)
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.server.address() as net.AddressInfo).port))
  })
  return {
    url: `smtp://127.0.0.1:${port}`,
    hangUp(session) {
      const connections = [...server.connections] as unknown as { id: string; _socket: net.Socket }[]
      connections.find(({ id }) => id === session.id)?._socket.destroy()
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** A mail as it came in. */
export async function readMail(stream: SMTPServerDataStream): Promise<Email> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return PostalMime.parse(Buffer.concat(chunks))
}
