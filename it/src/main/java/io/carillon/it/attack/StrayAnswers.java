package io.carillon.it.attack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * 2xx to INVITE that nobody has asked for, with the address of a third party in their Contact: does
 * the server send more than it got? The third party listens, and counts.
 */
final class StrayAnswers extends Attack {
    /** The third party's address among those of the attack; the attacker has the first. */
    private static final int THIRD = 200;

    private static final int ROOM = 65_536;
    private static final int PATIENCE_NANOS = 2_000_000_000;

    /** What stands in the 2xx. */
    enum Kind {
        /** Nothing that the server knows. */
        PLAIN,
        /** The same, and the Contact asks for a connection. */
        CONNECTION,
        /** Call-ID and tags of a call of the attacker that goes on. */
        DIALOG
    }

    private final int perSecond;
    private final Kind kind;
    private final ByteBuffer read = ByteBuffer.allocateDirect(ROOM);
    private long messagesBack;
    private long bytesBack;
    private long messagesSent;
    private long bytesSent;

    StrayAnswers(String id, String what, int perSecond, Kind kind) {
        super(id, what, Door.SIP);
        this.perSecond = perSecond;
        this.kind = kind;
    }

    @Override
    double reflected() {
        return messagesSent == 0
                ? 0
                : Math.max((double) messagesBack / messagesSent, (double) bytesBack / bytesSent);
    }

    @Override
    long run(Target target, long untilNanos) throws IOException {
        try (DatagramChannel attacker = target.datagrams(0);
                DatagramChannel third = target.datagrams(THIRD);
                ServerSocketChannel connections = ServerSocketChannel.open()) {
            connections.bind(third.getLocalAddress());
            connections.configureBlocking(false);
            String text = text(target, attacker, third);
            Template template = new Template(text);
            Pace pace = new Pace(perSecond, untilNanos);
            for (int due = pace.due(); due >= 0; due = pace.due()) {
                for (int i = 0; i < due; i++) {
                    byte[] bytes = template.next((int) messagesSent);
                    if (attacker.send(ByteBuffer.wrap(bytes), target.server()) > 0) {
                        messagesSent++;
                        bytesSent += bytes.length;
                    }
                }
                count(attacker);
                count(third);
                count(connections);
            }
            if (kind == Kind.DIALOG) {
                hangUp(target, attacker, text);
            }
            return messagesSent;
        }
    }

    private void count(DatagramChannel channel) throws IOException {
        read.clear();
        while (channel.receive(read) != null) {
            messagesBack++;
            bytesBack += read.position();
            read.clear();
        }
    }

    private void count(ServerSocketChannel connections) throws IOException {
        for (SocketChannel one; (one = connections.accept()) != null; ) {
            messagesBack++;
            one.close();
        }
    }

    private String text(Target target, DatagramChannel attacker, DatagramChannel third)
            throws IOException {
        String own = address((InetSocketAddress) attacker.getLocalAddress());
        String server = address(target.server());
        String contact =
                "sip:third@"
                        + address((InetSocketAddress) third.getLocalAddress())
                        + (kind == Kind.CONNECTION ? ";transport=tcp" : "");
        String tag = kind == Kind.DIALOG ? call(target, attacker, own, server) : "########";
        String id = kind == Kind.DIALOG ? "call@" + own : "########@" + own;
        String peer = kind == Kind.DIALOG ? "caller" : "########";
        return "SIP/2.0 200 OK\nVia: SIP/2.0/UDP "
                + server
                + ";branch=z9hG4bK########\nFrom: <sip:uas@"
                + server
                + ">;tag="
                + tag
                + "\nTo: <sip:caller@"
                + own
                + ">;tag="
                + peer
                + "\nCall-ID: "
                + id
                + "\nCSeq: 1 INVITE\nContact: <"
                + contact
                + ">\nContent-Length: 0\n\n";
    }

    private static String address(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** Makes a call that stays; the server's tag. */
    private String call(Target target, DatagramChannel attacker, String own, String server)
            throws IOException {
        String head = " sip:uas@" + server + " SIP/2.0\nVia: SIP/2.0/UDP " + own;
        String rest =
                "\nMax-Forwards: 70\nFrom: <sip:caller@"
                        + own
                        + ">;tag=caller\nCall-ID: call@"
                        + own
                        + "\nContact: <sip:caller@"
                        + own
                        + ">\nContent-Length: 0\nTo: <sip:uas@"
                        + server
                        + ">";
        send(
                target,
                attacker,
                "INVITE" + head + ";branch=z9hG4bKcall" + rest + "\nCSeq: 1 INVITE\n\n");
        long until = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() - until < 0) {
            read.clear();
            if (attacker.receive(read) == null) {
                Thread.onSpinWait();
                continue;
            }
            String answer = StandardCharsets.UTF_8.decode(read.flip()).toString();
            int at = answer.indexOf(";tag=", answer.indexOf("\r\nTo:"));
            if (answer.startsWith("SIP/2.0 200") && at > 0) {
                String tag = answer.substring(at + 5).split("[;\r]", 2)[0];
                send(
                        target,
                        attacker,
                        "ACK"
                                + head
                                + ";branch=z9hG4bKack"
                                + rest
                                + ";tag="
                                + tag
                                + "\nCSeq: 1 ACK\n\n");
                return tag;
            }
        }
        throw new IOException("the server took no call");
    }

    /** Ends the call that stayed: what is left on the server after it is not its doing. */
    private static void hangUp(Target target, DatagramChannel attacker, String stray)
            throws IOException {
        String server = address(target.server());
        String own = address((InetSocketAddress) attacker.getLocalAddress());
        String tag = stray.substring(stray.indexOf(";tag=") + 5).split("\n", 2)[0];
        send(
                target,
                attacker,
                "BYE sip:uas@"
                        + server
                        + " SIP/2.0\nVia: SIP/2.0/UDP "
                        + own
                        + ";branch=z9hG4bKbye\nMax-Forwards: 70\nFrom: <sip:caller@"
                        + own
                        + ">;tag=caller\nTo: <sip:uas@"
                        + server
                        + ">;tag="
                        + tag
                        + "\nCall-ID: call@"
                        + own
                        + "\nCSeq: 2 BYE\nContent-Length: 0\n\n");
    }

    private static void send(Target target, DatagramChannel attacker, String text)
            throws IOException {
        byte[] bytes = text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        attacker.send(ByteBuffer.wrap(bytes), target.server());
    }
}
