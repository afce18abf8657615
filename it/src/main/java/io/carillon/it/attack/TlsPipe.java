package io.carillon.it.attack;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * The client's end of a TLS connection that believes everybody and can be made to misbehave. Owner:
 * one thread.
 */
final class TlsPipe implements AutoCloseable {
    private static final long PATIENCE_NANOS = 5_000_000_000L;
    private static final long NAP_NANOS = 100_000;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final SSLContext CONTEXT = context();

    private final SocketChannel channel;
    private final SSLEngine engine;
    private final ByteBuffer in;
    private final ByteBuffer out;
    private final ByteBuffer clear;
    private boolean full;

    /**
     * @param channel connected, not blocking; belongs to the pipe
     * @param version of TLS, as the JDK calls it
     */
    TlsPipe(SocketChannel channel, String version) {
        this.channel = channel;
        engine = engine(version);
        in = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        clear = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
    }

    /** Without the name of a peer no session is looked for: a handshake in full each time. */
    private static SSLEngine engine(String version) {
        SSLEngine made = CONTEXT.createSSLEngine();
        made.setUseClientMode(true);
        made.setEnabledProtocols(new String[] {version});
        return made;
    }

    private static SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Believer()}, new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no TLS", e);
        }
    }

    /** The first bytes that a client of TLS sends: what a half handshake consists of. */
    static byte[] clientHello(String version) {
        SSLEngine engine = engine(version);
        ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        try {
            engine.beginHandshake();
            engine.wrap(NOTHING, record);
        } catch (SSLException e) {
            throw new IllegalStateException("no ClientHello could be made", e);
        }
        byte[] hello = new byte[record.flip().remaining()];
        record.get(hello);
        return hello;
    }

    /** Until it is over; false: the server closed or took too long. */
    boolean handshake() {
        try {
            engine.beginHandshake();
            return drive();
        } catch (IOException closedByServer) {
            return false;
        }
    }

    private boolean drive() throws IOException {
        long until = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() - until < 0) {
            HandshakeStatus next = engine.getHandshakeStatus();
            switch (next) {
                case NOT_HANDSHAKING, FINISHED -> {
                    return true;
                }
                case NEED_TASK -> engine.getDelegatedTask().run();
                case NEED_WRAP -> {
                    if (!wrap(NOTHING)) {
                        return false;
                    }
                }
                default -> {
                    if (!unwrap()) {
                        return false;
                    }
                }
            }
        }
        return false;
    }

    /** What the peer does not take at once of a record is waited for, but not for ever. */
    private boolean wrap(ByteBuffer from) throws IOException {
        out.clear();
        SSLEngineResult result = engine.wrap(from, out);
        out.flip();
        long until = System.nanoTime() + PATIENCE_NANOS;
        while (out.hasRemaining()) {
            if (channel.write(out) == 0) {
                if (System.nanoTime() - until > 0) {
                    return false;
                }
                LockSupport.parkNanos(NAP_NANOS);
            }
        }
        return result.getStatus() != SSLEngineResult.Status.CLOSED;
    }

    /** One step of reading; false: the server has closed. */
    private boolean unwrap() throws IOException {
        int read = channel.read(in);
        in.flip();
        SSLEngineResult result = engine.unwrap(in, clear.clear());
        in.compact();
        boolean idle = result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW;
        if (idle && read == 0) {
            LockSupport.parkNanos(NAP_NANOS);
        }
        return !(idle && read < 0) && result.getStatus() != SSLEngineResult.Status.CLOSED;
    }

    /** Sends bytes and throws away what came; false: the server has closed. */
    boolean write(byte[] bytes) {
        try {
            ByteBuffer from = ByteBuffer.wrap(bytes);
            while (from.hasRemaining()) {
                if (!wrap(from)) {
                    return false;
                }
            }
            return drain();
        } catch (IOException closedByServer) {
            return false;
        }
    }

    /** Sends bytes and reads nothing; once the socket is full nothing more is sent. */
    boolean push(byte[] bytes) {
        try {
            if (!full) {
                out.clear();
                engine.wrap(ByteBuffer.wrap(bytes), out);
                channel.write(out.flip());
                full = out.hasRemaining();
            }
            return channel.isConnected();
        } catch (IOException closedByServer) {
            return false;
        }
    }

    private boolean drain() throws IOException {
        while (true) {
            int read = channel.read(in);
            if (read < 0) {
                return false;
            }
            in.flip();
            SSLEngineResult result = engine.unwrap(in, clear.clear());
            in.compact();
            if (result.getStatus() != SSLEngineResult.Status.OK) {
                return result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW;
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** Believes every certificate: the attacker does not mind whom he attacks. */
    private static final class Believer implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            // never asked: this is a client
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            // any
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
