package io.carillon.it.registration;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Phones that register at a steady rate, and what they know to be bound. One thread. */
final class RegisterRun implements AutoCloseable {
    private static final int QUERIES_AT_ONCE = 50;
    private static final int SHOWN = 5;

    /** Questions that got 503 are asked so often again, each second. */
    private static final int TIMES_AGAIN = 30;

    /**
     * What a stretch of load came to.
     *
     * @param begun registrations that were begun
     * @param late registrations that were due while every phone was still waiting for an answer
     */
    record Stretch(
            long begun,
            long acknowledged,
            long late,
            long retransmissions,
            double seconds,
            Histogram nanos) {}

    private final RegisterClient client;
    private final List<Registration> phones = new ArrayList<>();
    private final Deque<Registration> idle = new ArrayDeque<>();
    private boolean asking;
    private long acknowledged;
    private final List<String> missing = new ArrayList<>();
    private final List<Registration> unanswered = new ArrayList<>();

    /** Whose question got 503. */
    private final List<Registration> again = new ArrayList<>();

    /**
     * @param algorithm of the digests: SHA-256 or MD5
     */
    RegisterRun(InetSocketAddress server, List<String> users, String password, String algorithm)
            throws IOException {
        this.client = new RegisterClient(server, this::answered);
        String run = Long.toString(System.nanoTime(), 36);
        for (String user : users) {
            phones.add(new Registration(user, password, algorithm, client.port(), run));
        }
        idle.addAll(phones);
    }

    private void answered(Registration phone, int status, String response) {
        if (asking && status == 503) {
            again.add(phone);
            return;
        }
        if (asking) {
            unanswered.remove(phone);
            String before = phone.expected();
            Set<String> bound = Registration.bindings(response);
            if (status != 200 || !phone.agrees(bound)) {
                missing.add(phone.user + ": " + before + " was acknowledged, bound is " + bound);
            }
            return;
        }
        if (status == 200) {
            phone.acknowledge();
            acknowledged++;
        }
        idle.add(phone);
    }

    /**
     * Registers at this rate for so long. The times count from the moment when a registration was
     * due, so that a server that stands still is not spared.
     */
    Stretch load(int rate, int seconds) throws IOException {
        long acknowledgedBefore = acknowledged;
        long retransmissionsBefore = client.retransmissions();
        client.takeTimes();
        long start = System.nanoTime();
        long end = start + TimeUnit.SECONDS.toNanos(seconds);
        long gap = TimeUnit.SECONDS.toNanos(1) / rate;
        long due = start;
        long begun = 0;
        long late = 0;
        while (due - end < 0) {
            client.work(due, false);
            Registration phone = idle.poll();
            if (phone == null) {
                late++;
            } else {
                phone.next();
                client.begin(phone, phone.contacts(), due);
                begun++;
            }
            due += gap;
        }
        return new Stretch(
                begun,
                acknowledged - acknowledgedBefore,
                late,
                client.retransmissions() - retransmissionsBefore,
                (System.nanoTime() - start) / 1e9,
                client.takeTimes());
    }

    /**
     * Registers at rates that rise to this one, until servers that have just started serve it: each
     * stretch is a third of the time, the last is repeated until none of it fails. What failed
     * meanwhile is not counted.
     *
     * @param times the last stretch at most
     * @return did one end without a failure?
     */
    boolean warmUp(int rate, int seconds, int times) throws IOException {
        int third = Math.max(1, seconds / 3);
        load(Math.max(1, rate / 10), third);
        load(Math.max(1, rate * 2 / 5), third);
        for (int i = 0; i < times; i++) {
            client.forgetFailures();
            load(rate, third);
            settle();
            if (client.failures().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Waits until every registration has its answer. */
    void settle() throws IOException {
        client.work(System.nanoTime() + TimeUnit.SECONDS.toNanos(40), true);
    }

    /**
     * The server is dead: what it has sent is still read, what it has not answered is given up.
     *
     * @return registrations that were on their way
     */
    int bury() throws IOException {
        client.work(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200), false);
        int onTheirWay = client.abandon();
        idle.clear();
        idle.addAll(phones);
        return onTheirWay;
    }

    /**
     * Asks for the bindings of every phone, by a REGISTER without Contact (RFC 3261 section
     * 10.2.3), and compares them with what was acknowledged.
     *
     * @return the bindings that are not as they must be
     */
    int verify() throws IOException {
        int before = missing.size();
        asking = true;
        unanswered.addAll(phones);
        Map<String, Integer> failures = Map.copyOf(client.failures());
        ask(phones);
        for (int i = 0; i < TIMES_AGAIN && !again.isEmpty(); i++) {
            // A server that has just started sheds: it is asked again, as Retry-After says.
            client.work(System.nanoTime() + TimeUnit.SECONDS.toNanos(1), false);
            List<Registration> refused = List.copyOf(again);
            again.clear();
            ask(refused);
        }
        if (again.isEmpty()) {
            client.failures(failures);
        }
        again.clear();
        for (Registration phone : unanswered) {
            missing.add(phone.user + ": the question for its bindings was not answered");
        }
        asking = false;
        missing.stream().skip(before).limit(SHOWN).forEach(System.out::println);
        return missing.size() - before;
    }

    private void ask(List<Registration> those) throws IOException {
        for (Registration phone : those) {
            client.begin(phone, "", System.nanoTime());
            while (client.open() >= QUERIES_AT_ONCE) {
                client.work(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1), true);
            }
        }
        settle();
    }

    /** Phones with a binding. */
    long bound() {
        return phones.stream().filter(Registration::everAcknowledged).count();
    }

    /** Failures by what they were. */
    Map<String, Integer> failures() {
        return client.failures();
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
