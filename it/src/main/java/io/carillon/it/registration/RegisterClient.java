package io.carillon.it.registration;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * REGISTER transactions of many phones over one UDP socket: each is challenged, answers with
 * digest, and is retransmitted by timer E (RFC 3261 section 17.1.2.2). One thread.
 */
final class RegisterClient implements AutoCloseable {
    private static final long T1_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long T2_NANOS = TimeUnit.SECONDS.toNanos(4);
    private static final int BUFFER = 4 << 20;

    /** What becomes of a registration. */
    interface Listener {
        void answered(Registration phone, int status, String response);
    }

    /** A client transaction. */
    private static final class Transaction implements Comparable<Transaction> {
        final Registration phone;
        final String headers;
        final String branch;
        final byte[] request;
        final boolean withCredentials;
        final long begunAtNanos;
        final long endsAtNanos;
        long dueAtNanos;
        long waitNanos = T1_NANOS;

        Transaction(
                Registration phone,
                String headers,
                String branch,
                String request,
                boolean withCredentials,
                long begunAtNanos,
                long now) {
            this.phone = phone;
            this.headers = headers;
            this.branch = branch;
            this.request = request.getBytes(UTF_8);
            this.withCredentials = withCredentials;
            this.begunAtNanos = begunAtNanos;
            this.dueAtNanos = now + T1_NANOS;
            this.endsAtNanos = now + 64 * T1_NANOS;
        }

        @Override
        public int compareTo(Transaction other) {
            return Long.compare(dueAtNanos - other.dueAtNanos, 0);
        }
    }

    private final DatagramChannel channel;
    private final Selector selector;
    private final InetSocketAddress server;
    private final Listener listener;
    private final Map<String, Transaction> open = new HashMap<>();
    private final PriorityQueue<Transaction> timers = new PriorityQueue<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(65_535);
    private final Map<String, Integer> failures = new TreeMap<>();
    private final String run = Long.toString(System.nanoTime(), 36);
    private Histogram nanos = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
    private long branches;
    private long retransmissions;

    RegisterClient(InetSocketAddress server, Listener listener) throws IOException {
        this.server = server;
        this.listener = listener;
        this.channel = DatagramChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
        channel.bind(new InetSocketAddress("127.0.0.1", 0)).configureBlocking(false);
        this.selector = Selector.open();
        channel.register(selector, SelectionKey.OP_READ);
    }

    int port() throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    /**
     * Sends a REGISTER with these headers, without credentials at first.
     *
     * @param begunAtNanos when it should have been sent; its time counts from there
     */
    void begin(Registration phone, String headers, long begunAtNanos) throws IOException {
        send(phone, headers, null, begunAtNanos);
    }

    private void send(
            Registration phone, String headers, @Nullable String authorization, long begunAtNanos)
            throws IOException {
        String branch = "z9hG4bK" + run + ++branches;
        String all =
                authorization == null
                        ? headers
                        : headers + "Authorization: " + authorization + "\r\n";
        Transaction transaction =
                new Transaction(
                        phone,
                        headers,
                        branch,
                        phone.request(branch, port(), all),
                        authorization != null,
                        begunAtNanos,
                        System.nanoTime());
        open.put(branch, transaction);
        timers.add(transaction);
        transmit(transaction);
    }

    private void transmit(Transaction transaction) throws IOException {
        try {
            channel.send(ByteBuffer.wrap(transaction.request), server);
        } catch (PortUnreachableException e) {
            count("port unreachable"); // the server is dead: timer E tries again
        }
    }

    /** Registrations that have no final answer yet. */
    int open() {
        return open.size();
    }

    /** Receives and retransmits until that time, or until nothing is open when it may end early. */
    void work(long untilNanos, boolean endEarly) throws IOException {
        while (true) {
            receive();
            long now = System.nanoTime();
            retransmit(now);
            if (untilNanos - now <= 0 || (endEarly && open.isEmpty())) {
                return;
            }
            long wait = untilNanos - now;
            if (!timers.isEmpty()) {
                wait = Math.min(wait, timers.peek().dueAtNanos - now);
            }
            long millis = TimeUnit.NANOSECONDS.toMillis(wait);
            if (millis > 0) {
                selector.select(millis);
            } else {
                selector.selectNow();
            }
        }
    }

    private void receive() throws IOException {
        selector.selectedKeys().clear();
        buffer.clear();
        while (channel.receive(buffer) != null) {
            buffer.flip();
            take(UTF_8.decode(buffer).toString());
            buffer.clear();
        }
    }

    private void take(String response) throws IOException {
        int at = response.indexOf("branch=");
        int end = at;
        while (end >= 0 && end < response.length() && ";,\r".indexOf(response.charAt(end)) < 0) {
            end++;
        }
        int status = Integer.parseInt(response, 8, 11, 10);
        Transaction transaction =
                at < 0 || status < 200 ? null : open.remove(response.substring(at + 7, end));
        if (transaction == null) {
            return; // provisional, or the answer to a retransmission
        }
        timers.remove(transaction);
        Registration phone = transaction.phone;
        // RFC 7616 3.3: "the client may wish to simply retry the request with a new encrypted
        // response"
        boolean stale = response.contains("stale=true");
        if (status == 401 && (!transaction.withCredentials || stale)) {
            String answer = phone.digest.to(response, "REGISTER", "sip:127.0.0.1", run);
            send(phone, transaction.headers, answer, transaction.begunAtNanos);
            return;
        }
        if (status == 200) {
            nanos.recordValue(Math.max(1, System.nanoTime() - transaction.begunAtNanos));
        } else {
            count(response.substring(8, response.indexOf('\r')));
        }
        listener.answered(phone, status, response);
    }

    private void retransmit(long now) throws IOException {
        while (!timers.isEmpty() && timers.peek().dueAtNanos - now <= 0) {
            Transaction due = timers.poll();
            if (due.endsAtNanos - now <= 0) {
                // RFC 3261 17.1.2.2, timer F: "inform the TU about the timeout"
                open.remove(due.branch);
                count("no answer within 32 s");
                listener.answered(due.phone, 408, "");
            } else {
                retransmissions++;
                due.waitNanos = Math.min(2 * due.waitNanos, T2_NANOS);
                due.dueAtNanos = now + due.waitNanos;
                timers.add(due);
                transmit(due);
            }
        }
    }

    /** Forgets what is open: the server is dead. */
    int abandon() {
        int abandoned = open.size();
        open.clear();
        timers.clear();
        return abandoned;
    }

    private void count(String failure) {
        failures.merge(failure, 1, Integer::sum);
    }

    /** Failures by what they were, since the start, or since they were forgotten. */
    Map<String, Integer> failures() {
        return failures;
    }

    /** What failed until now was a warm-up. */
    void forgetFailures() {
        failures.clear();
    }

    /** As they were: what came since is no failure. */
    void failures(Map<String, Integer> before) {
        failures.clear();
        failures.putAll(before);
    }

    long retransmissions() {
        return retransmissions;
    }

    /** Times from the moment a registration was due to its 200, and begins anew. */
    Histogram takeTimes() {
        Histogram taken = nanos;
        nanos = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
        return taken;
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            selector.close();
        }
    }
}
