package io.carillon.servlet.feature.http;

import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.StartOrder;
import javax.servlet.ServletContext;

/**
 * The web context of one version of an application. Called by the deploying thread, in the order of
 * the methods.
 */
public interface WebContext {
    /** The one servlet context of both halves. */
    ServletContext servletContext();

    /**
     * Reads the descriptors, makes the listeners, then runs {@code between} with the class loader
     * of the application, then starts filters and servlets. No request comes in yet.
     *
     * @param between tells the context listeners of the SIP half before those of the HTTP half, and
     *     initializes the SIP servlets after them
     * @throws DeploymentException naming what failed; the context is closed already
     */
    void start(StartOrder between) throws DeploymentException;

    /** Lets requests in; from this moment on the path is this version's. */
    void serve();

    /**
     * Lets no more visitors in: another version has the path, or none. Requests in progress go on,
     * and so do the HTTP sessions that have calls: their requests still come here. An HTTP session
     * ends once no request of it is in progress and its application session, where it has one, has
     * neither a SIP session nor a timer.
     */
    void withdraw();

    /**
     * Ends sessions, servlets, filters, then {@code servletsGone}, then the context listeners. Does
     * nothing the second time.
     *
     * @param servletsGone ends the SIP servlets; runs once
     */
    void close(Runnable servletsGone);
}
