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

    private long nanos;

    /** What was computed, so that it is not left out. */
    @SuppressWarnings("UnusedVariable")
    private volatile long result;

    @Override
    public void init() throws ServletException {
        nanos = Long.parseLong(getServletConfig().getInitParameter("millis")) * 1_000_000L;
    }

    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        compute();
        Proxy proxy = request.getProxy();
        proxy.setRecordRoute(false);
        proxy.setSupervised(false);
        proxy.proxyTo(request.getRequestURI());
    }

    private void compute() {
        long begin = System.nanoTime();
        long sum = result;
        while (System.nanoTime() - begin < nanos) {
            for (int i = 0; i < 1000; i++) {
                sum = sum * 6364136223846793005L + 1442695040888963407L;
            }
        }
        result = sum;
    }
}
