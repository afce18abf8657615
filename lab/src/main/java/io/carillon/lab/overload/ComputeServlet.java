package io.carillon.lab.overload;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;

/**
 * Computes for some milliseconds for each INVITE, then proxies it on and stays out of its dialog.
 */
public class ComputeServlet extends SipServlet {
    private static final long serialVersionUID = 1L;

    private static final int ROUND = 10_000;
    private static final int CALIBRATION_ROUNDS = 10_000;

    private long rounds;

    /** What was computed, so that it is not left out. */
    @SuppressWarnings("UnusedVariable")
    private volatile long result;

    @Override
    public void init() throws ServletException {
        long millis = Long.parseLong(getServletConfig().getInitParameter("millis"));
        rounds = millis * 1_000_000L / nanosOfRound();
    }

    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        compute(rounds);
        Proxy proxy = request.getProxy();
        proxy.setRecordRoute(false);
        proxy.setSupervised(false);
        proxy.proxyTo(request.getRequestURI());
    }

    // Rounds and not the clock: by the clock a thread that has lost its CPU to another one would
    // compute meanwhile. The shortest round is one that nothing disturbed, by compiled code.
    private long nanosOfRound() {
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < CALIBRATION_ROUNDS; i++) {
            long begin = System.nanoTime();
            compute(1);
            shortest = Math.min(shortest, Math.max(1, System.nanoTime() - begin));
        }
        return shortest;
    }

    private void compute(long count) {
        long sum = result;
        for (long round = 0; round < count; round++) {
            for (int i = 0; i < ROUND; i++) {
                sum = sum * 6364136223846793005L + 1442695040888963407L;
            }
        }
        result = sum;
    }
}
