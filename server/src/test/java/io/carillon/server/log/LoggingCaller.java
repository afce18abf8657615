package io.carillon.server.log;

import io.carillon.net.loop.LoopNetwork;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls, acknowledges, and releases as soon as it was answered. */
final class LoggingCaller {
    private static final int OK = 200;

    private final LoopNetwork network;
    private final InetSocketAddress own;
    private final List<InetSocketAddress> servers;
    private final AtomicInteger done = new AtomicInteger();

    /** What was answered in place of 200, and how often. */
    final Map<Integer, Integer> refused = new ConcurrentHashMap<>();

    // Of the thread that receives.
    private final BitSet answered = new BitSet();
    private final BitSet ended = new BitSet();

    private volatile Semaphore places = new Semaphore(0);

    LoggingCaller(LoopNetwork network, InetSocketAddress own, List<InetSocketAddress> servers) {
        this.network = network;
        this.own = own;
        this.servers = servers;
        network.attach(own, this::received);
    }

    /**
     * So many calls, one after the other at each server.
     *
     * @param atOnce calls that are open at the same time
     * @return how many were released by 200
     */
    int calls(int count, int atOnce, long time, TimeUnit unit) throws InterruptedException {
        places = new Semaphore(atOnce);
        for (int i = 0; i < count; i++) {
            if (!places.tryAcquire(time, unit)) {
                return done.get();
            }
            send(i, "INVITE", 1, "i", "");
        }
        places.tryAcquire(atOnce, time, unit);
        return done.get();
    }

    private static String value(String message, String header) {
        int at = message.indexOf("\r\n" + header + ": ") + header.length() + 4;
        return message.substring(at, message.indexOf('\r', at));
    }

    private void received(byte[] bytes, Hop from) {
        String message = new String(bytes, StandardCharsets.UTF_8);
        int status = Integer.parseInt(message.substring("SIP/2.0 ".length()).substring(0, 3));
        if (status < OK) {
            return;
        }
        int number = Integer.parseInt(value(message, "Call-ID").replaceAll("@.*", ""));
        if (status != OK || value(message, "CSeq").endsWith("BYE")) {
            if (!ended.get(number)) { // else it came again
                ended.set(number);
                if (status == OK) {
                    done.incrementAndGet();
                } else {
                    refused.merge(status, 1, Integer::sum);
                }
                places.release();
            }
            return;
        }
        String to = value(message, "To");
        String tag = to.substring(to.indexOf(";tag="));
        send(number, "ACK", 1, "a", tag);
        if (!answered.get(number)) {
            answered.set(number);
            send(number, "BYE", 2, "b", tag);
        }
    }

    private void send(int number, String method, int sequence, String branch, String tag) {
        InetSocketAddress to = servers.get(number % servers.size());
        String host = to.getAddress().getHostAddress();
        String text =
                String.join(
                        "\r\n",
                        method + " sip:b@" + host + ":5060 SIP/2.0",
                        "Via: SIP/2.0/UDP 192.0.2.2:5060;branch=z9hG4bK" + branch + number,
                        "Max-Forwards: 70",
                        "From: <sip:u" + number + "@192.0.2.2>;tag=" + number,
                        "To: <sip:b@" + host + ">" + tag,
                        "Call-ID: " + number + "@caller",
                        "CSeq: " + sequence + " " + method,
                        "Contact: <sip:a@192.0.2.2:5060>",
                        "Content-Length: 0",
                        "",
                        "");
        network.send(Transport.UDP, own, to, text.getBytes(StandardCharsets.UTF_8));
    }
}
