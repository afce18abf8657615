package io.carillon.sip.flow;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.LongSupplier;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The one codec of flow tokens (RFC 5626 5.2): a flow, that is the connection or the pair of UDP
 * addresses that a request came by, as the user part of a Path, Record-Route or Route URI of ours.
 * The token is signed, so that nobody can aim a request of ours by writing one; and hidden, so that
 * it shows no address of the inner network. The same flow has the same token as long as the server
 * runs, over UDP for an hour; in each call another one.
 *
 * <p>A token is {@value #PREFIX}, then in base64url: 3 bytes that name the key, 10 of the HMAC, and
 * the encrypted flow. The HMAC is the initial value of the encryption, so no two flows share a key
 * stream.
 *
 * <p>A connection ends, and its token with it. Of two UDP addresses nobody hears that they are no
 * flow any more, and an address translator gives them to somebody else; so a token over UDP says in
 * which hour it was made, and is good for a week. Each registration and each dialog gets a new one.
 * One for Record-Route is for its own call: the Call-ID is in what is signed, and with another one
 * the token counts as forged. Else whoever sees the route of one call could send by it for a week
 * whatever he likes. A token proves nothing of who is at the other end: over UDP it is made of the
 * source of one datagram.
 *
 * <p>Immutable; any thread.
 */
public final class FlowTokens {
    /** What a token begins with. */
    public static final String PREFIX = "flow-";

    /** How long a token over UDP is good: longer than registrations and calls last. */
    static final int LIFE_HOURS = 7 * 24;

    /** The longest token: over IPv6, by a connection. */
    static final int MOST_CHARS = 96;

    private static final int KEY_ID_BYTES = 3;

    /** RFC 5626 5.2 takes 80 bits. */
    private static final int MAC_BYTES = 10;

    private static final int HEAD_BYTES = KEY_ID_BYTES + MAC_BYTES;
    private static final int AES_BYTES = 16;
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    private static final int LOCAL_FLAG = 0x10;
    private static final int IPV6_FLAG = 0x20;
    private static final int CALL_FLAG = 0x40;
    private static final byte[] NO_CALL = {};

    /** Their places are their numbers in a token. */
    private static final List<Transport> TRANSPORTS =
            List.of(Transport.UDP, Transport.TCP, Transport.TLS, Transport.WS, Transport.WSS);

    private final LongSupplier hours;
    private final byte[] keyId;
    private final Mac mac;
    private final SecretKeySpec cipherKey;

    /** Reads the tokens of another key while keys change. */
    private final @Nullable FlowTokens other;

    /** What a token says. */
    public enum Verdict {
        /** It is ours, and was not touched. */
        VALID,
        /** Made under another key: before this server began, or by another one; or too long ago. */
        STALE,
        /** It names our key, but it is not what we made. */
        FORGED
    }

    /**
     * A token that was read.
     *
     * @param flow null unless the verdict is {@link Verdict#VALID}
     */
    public record Read(Verdict verdict, @Nullable Hop flow) {}

    private static final Read STALE = new Read(Verdict.STALE, null);
    private static final Read FORGED = new Read(Verdict.FORGED, null);

    /** With a key of its own and no clock, so that no token ends: for tests. */
    public FlowTokens() {
        this(randomKey());
    }

    /** As {@link #FlowTokens(byte[], LongSupplier)} without a clock: for tests. */
    public FlowTokens(byte[] key) {
        this(key, () -> 0);
    }

    /**
     * With a key of its own, as a server has when it starts.
     *
     * @param hours the wall clock, in hours; any thread
     */
    public FlowTokens(LongSupplier hours) {
        this(randomKey(), hours);
    }

    /**
     * With a given key, where several must read each other's tokens.
     *
     * @param key 35 bytes or more, of which nobody else knows
     * @param hours the wall clock, in hours; any thread
     */
    public FlowTokens(byte[] key, LongSupplier hours) {
        this(key, hours, null);
    }

    /**
     * As the other, which reads those of another key too.
     *
     * @param other null for none
     */
    public FlowTokens(byte[] key, LongSupplier hours, @Nullable FlowTokens other) {
        this.other = other;
        this.hours = hours;
        if (key.length < KEY_ID_BYTES + 2 * AES_BYTES) {
            throw new IllegalArgumentException("a key of " + key.length + " bytes is too short");
        }
        keyId = Arrays.copyOf(key, KEY_ID_BYTES);
        cipherKey = new SecretKeySpec(key, KEY_ID_BYTES, AES_BYTES, "AES");
        int macAt = KEY_ID_BYTES + AES_BYTES;
        try {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, macAt, key.length - macAt, "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no HMAC with SHA-256", e);
        }
    }

    private static byte[] randomKey() {
        byte[] key = new byte[KEY_ID_BYTES + AES_BYTES + 32];
        new SecureRandom().nextBytes(key);
        return key;
    }

    /** May this be the user part of a URI with a token? A glance that costs nothing. */
    public static boolean isToken(@Nullable String user) {
        return user != null && user.startsWith(PREFIX);
    }

    /** As {@link #encode(Hop, String)}, for every call: of a registration, or kept here. */
    public @Nullable String encode(Hop flow) {
        return encode(flow, null);
    }

    /**
     * The token of the flow that a message came by.
     *
     * @param callId of the one call that it is for; null for all
     * @return null for a way that is no flow: between two applications of ours, or unresolved
     */
    public @Nullable String encode(Hop flow, @Nullable String callId) {
        InetAddress remote = flow.remote().getAddress();
        if (flow.internal() || remote == null) {
            return null;
        }
        byte[] plain = plain(flow, remote);
        byte[] call = NO_CALL;
        if (callId != null) {
            plain[0] |= CALL_FLAG;
            call = callId.getBytes(StandardCharsets.UTF_8);
        }
        byte[] token = new byte[HEAD_BYTES + plain.length];
        System.arraycopy(keyId, 0, token, 0, KEY_ID_BYTES);
        byte[] signature = sign(plain, call);
        System.arraycopy(signature, 0, token, KEY_ID_BYTES, MAC_BYTES);
        crypt(signature, plain, 0, plain.length, token, HEAD_BYTES);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    }

    @SuppressWarnings("AddressSelection") // addresses of sockets
    private byte[] plain(Hop flow, InetAddress remote) {
        InetSocketAddress local = flow.local();
        InetAddress own = local == null ? null : local.getAddress();
        byte[] there = remote.getAddress();
        // A datagram over IPv4 that a socket of both families received: written as what it is.
        byte[] here = own == null ? new byte[0] : own.getAddress();
        boolean both = here.length == there.length;
        int flags =
                TRANSPORTS.indexOf(flow.transport())
                        | (both ? LOCAL_FLAG : 0)
                        | (there.length == IPV6_BYTES ? IPV6_FLAG : 0);
        ByteBuffer out = ByteBuffer.allocate(1 + 2 * (IPV6_BYTES + 2) + Long.BYTES);
        out.put((byte) flags).put(there).putShort((short) flow.remote().getPort());
        if (both && local != null) {
            out.put(here).putShort((short) local.getPort());
        }
        if (flow.transport().reliable()) {
            out.putLong(flow.connection());
        } else {
            out.putInt((int) hours.getAsLong());
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    /**
     * Reads the user part of a URI that {@link #isToken} has found to be one.
     *
     * @param callId of the request that has it; null without one
     */
    public Read read(String user, @Nullable String callId) {
        byte[] token;
        try {
            token = Base64.getUrlDecoder().decode(user.substring(PREFIX.length()));
        } catch (IllegalArgumentException e) {
            return FORGED;
        }
        if (token.length < HEAD_BYTES + 1 || token.length > MOST_CHARS) {
            return FORGED;
        }
        if (!Arrays.equals(token, 0, KEY_ID_BYTES, keyId, 0, KEY_ID_BYTES)) {
            return other == null ? STALE : other.read(user, callId);
        }
        byte[] written = Arrays.copyOfRange(token, KEY_ID_BYTES, HEAD_BYTES);
        byte[] plain = new byte[token.length - HEAD_BYTES];
        crypt(written, token, HEAD_BYTES, plain.length, plain, 0);
        boolean ofCall = (plain[0] & CALL_FLAG) != 0;
        byte[] call = ofCall && callId != null ? callId.getBytes(StandardCharsets.UTF_8) : NO_CALL;
        byte[] signature = Arrays.copyOf(sign(plain, call), MAC_BYTES);
        // In constant time: how far a guess was right must not be heard.
        if (!MessageDigest.isEqual(signature, written)) {
            return FORGED;
        }
        ByteBuffer in = ByteBuffer.wrap(plain);
        Hop flow = flow(in);
        if (flow == null) {
            return FORGED;
        }
        return flow.transport().reliable() || recent(in) ? new Read(Verdict.VALID, flow) : STALE;
    }

    /** Both clocks of a pair of servers may be an hour apart. */
    private boolean recent(ByteBuffer in) {
        if (in.remaining() < Integer.BYTES) {
            return false; // never: we have signed it
        }
        int age = (int) hours.getAsLong() - in.getInt();
        return age >= -1 && age <= LIFE_HOURS;
    }

    private static @Nullable Hop flow(ByteBuffer in) {
        try {
            int flags = in.get();
            int bytes = (flags & IPV6_FLAG) != 0 ? IPV6_BYTES : IPV4_BYTES;
            Transport transport = TRANSPORTS.get(flags & 0xF);
            InetSocketAddress remote = address(in, bytes);
            InetSocketAddress local = (flags & LOCAL_FLAG) != 0 ? address(in, bytes) : null;
            long connection = transport.reliable() ? in.getLong() : 0;
            return new Hop(transport, local, remote, connection);
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            return null; // never: we have signed it
        }
    }

    private static InetSocketAddress address(ByteBuffer in, int bytes) {
        byte[] address = new byte[bytes];
        in.get(address);
        int port = in.getShort() & 0xFFFF;
        try {
            return new InetSocketAddress(InetAddress.getByAddress(address), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + bytes + " bytes", e);
        }
    }

    /** Is a message that came by this hop of that flow? */
    public static boolean same(Hop flow, Hop source) {
        return flow.transport() == source.transport()
                && flow.connection() == source.connection()
                && flow.remote().equals(source.remote());
    }

    private byte[] sign(byte[] plain, byte[] call) {
        try {
            Mac own = (Mac) mac.clone();
            own.update(plain);
            return own.doFinal(call);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("HMAC of this Java cannot be copied", e);
        }
    }

    private void crypt(byte[] start, byte[] in, int from, int length, byte[] out, int at) {
        try {
            byte[] counter = Arrays.copyOf(Arrays.copyOf(start, MAC_BYTES), AES_BYTES);
            Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, cipherKey, new IvParameterSpec(counter));
            cipher.doFinal(in, from, length, out, at);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES in counter mode", e);
        }
    }
}
