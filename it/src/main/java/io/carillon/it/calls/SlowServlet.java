package io.carillon.it.calls;

import io.carillon.lab.process.Pause;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;

/**
 * An application that is slow for some calls: the user {@code sleep} waits 5 s in doInvite, the
 * user {@code busy} computes for 5 s, the user {@code lock} waits for 20 ms with a monitor held
 * that all calls of his need, two calls of the user {@code deadlock} wait for a monitor of each
 * other for good, all others are answered at once. It does not declare that it never blocks.
 */
public class SlowServlet extends SipServlet {
    private static final long serialVersionUID = 1L;
    private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LOCKED_MILLIS = 20;
    private static final Object ONE = new Object();
    private static final Object OTHER = new Object();
    private static final AtomicInteger DEADLOCKED = new AtomicInteger();
    private static final CountDownLatch MET = new CountDownLatch(2);

    @Override
    protected void doInvite(SipServletRequest invite) throws IOException {
        String uri = invite.getRequestURI().toString();
        if (uri.startsWith("sip:sleep@")) {
            Pause.millis(TimeUnit.NANOSECONDS.toMillis(SLOW_NANOS));
        } else if (uri.startsWith("sip:busy@")) {
            long end = System.nanoTime() + SLOW_NANOS;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        } else if (uri.startsWith("sip:lock@")) {
            synchronized (SlowServlet.class) {
                Pause.millis(LOCKED_MILLIS);
            }
        } else if (uri.startsWith("sip:deadlock@")) {
            waitForEachOther(DEADLOCKED.getAndIncrement() % 2 == 0);
        }
        invite.createResponse(200).send();
    }

    private static void waitForEachOther(boolean first) throws IOException {
        synchronized (first ? ONE : OTHER) {
            MET.countDown();
            while (MET.getCount() > 0) {
                Pause.millis(1);
            }
            synchronized (first ? OTHER : ONE) {
                throw new IllegalStateException("no deadlock");
            }
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.createResponse(200).send();
    }
}
