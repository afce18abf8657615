package io.carillon.net.tls;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A client that says hello in its own words, as no library of today would. */
final class RawClient {

    static final int PROTOCOL_VERSION = 70;
    static final int HANDSHAKE_FAILURE = 40;

    private RawClient() {}

    /**
     * Sends a ClientHello (RFC 5246 7.4.1.2) and reads the first record that comes back.
     *
     * @param version as in 0x0302 for TLS 1.1
     * @param cipherSuites by their numbers
     * @return the number of the alert; -1 when the server closed without one; -2 when it answered
     *     with anything else, as a server does that goes on
     */
    static int hello(InetSocketAddress server, int version, int... cipherSuites)
            throws IOException {
        ByteBuffer body = ByteBuffer.allocate(512);
        body.putShort((short) version).put(new byte[32]).put((byte) 0);
        body.putShort((short) (2 * cipherSuites.length));
        for (int suite : cipherSuites) {
            body.putShort((short) suite);
        }
        body.put(new byte[] {1, 0});
        // ECDHE_RSA goes with signatures of RSA, as in a client that knows nothing else
        byte algorithm = (byte) (cipherSuites[0] == 0xc02f ? 1 : 3);
        // supported_groups: secp256r1; signature_algorithms: with SHA-256; ec_point_formats
        byte[] extensions = {
            0, 10, 0, 4, 0, 2, 0, 23, 0, 13, 0, 4, 0, 2, 4, algorithm, 0, 11, 0, 2, 1, 0
        };
        body.putShort((short) extensions.length).put(extensions).flip();
        ByteBuffer record = ByteBuffer.allocate(600);
        record.put((byte) 22).putShort((short) 0x0301).putShort((short) (body.limit() + 4));
        record.put((byte) 1).put((byte) 0).putShort((short) body.limit()).put(body).flip();
        return send(server, record);
    }

    /** Sends anything and reads the first record that comes back, as {@link #hello} does. */
    static int send(InetSocketAddress server, ByteBuffer bytes) throws IOException {
        try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(bytes.array(), 0, bytes.limit());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            try {
                int type = in.readUnsignedByte();
                in.skipBytes(5);
                return type == 21 ? in.readUnsignedByte() : -2;
            } catch (EOFException e) {
                return -1;
            }
        }
    }
}
