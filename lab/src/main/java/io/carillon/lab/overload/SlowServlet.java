package io.carillon.lab.overload;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;

/**
 * Answers calls as an application does that asks a slow database: each INVITE waits for one of 50
 * connections and holds it for some milliseconds.
 */
public class SlowServlet extends SipServlet {
    private static final long serialVersionUID = 1L;
    private static final int CONNECTIONS = 50;

    private final transient Semaphore pool = new Semaphore(CONNECTIONS, true);
    private long millis;

    @Override
    public void init() throws ServletException {
        millis = Long.parseLong(getServletConfig().getInitParameter("millis"));
    }

    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        try {
            pool.acquire();
            try {
                TimeUnit.MILLISECONDS.sleep(millis);
            } finally {
                pool.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for a connection", e);
        }
        request.createResponse(SipServletResponse.SC_OK).send();
    }

    @Override
    protected void doBye(SipServletRequest request) throws ServletException, IOException {
        request.createResponse(SipServletResponse.SC_OK).send();
    }
}
