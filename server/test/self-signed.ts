import { generateKeyPairSync, sign } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** DER: a tag, the length, what is inside. */
function der(tag: number, ...inside: Buffer[]): Buffer {
  const body = Buffer.concat(inside)
  const length = body.length < 0x80 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))

/** A certificate that names a host and is signed by itself (RFC 5280), with its key, as files in PEM. */
export function selfSigned(host: string): { certFile: string; keyFile: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = der(0x30, oid('2a8648ce3d040302'))
  const name = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(host)))))
  const time = (text: string): Buffer => der(0x17, Buffer.from(text))
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    der(0x30, time('200101000000Z'), time('491231235959Z')),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
  )
  const cert = der(0x30, body, ecdsaWithSha256, der(0x03, Buffer.from([0]), sign('sha256', body, privateKey)))
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-cert-'))
  const [certFile, keyFile] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')]
  fs.writeFileSync(certFile, `-----BEGIN CERTIFICATE-----\n${cert.toString('base64')}\n-----END CERTIFICATE-----\n`)
  fs.writeFileSync(keyFile, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  return { certFile, keyFile }
}
