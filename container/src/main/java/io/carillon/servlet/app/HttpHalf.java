package io.carillon.servlet.app;

import java.util.Map;
import java.util.Set;

/**
 * The HTTP half of one version of an application, as its SIP half knows it. Of the deploying
 * thread.
 */
public interface HttpHalf {
    /** Makes the web context; from here on it is what the application sees as its context. */
    void open(Application application, ResourceInjection injection) throws DeploymentException;

    /** The instances of the SIP half, by class. */
    void instances(Map<String, Object> made);

    /** The instances of the SIP half that are the HTTP half's too. */
    Set<Object> taken();

    /** Starts both halves, then lets requests in. */
    void start(StartOrder between) throws DeploymentException;

    /** Out of service: new visitors belong to another version. */
    void withdraw();

    /**
     * Ends it. Does nothing the second time.
     *
     * @param servletsGone ends the SIP servlets, between those of HTTP and the context listeners
     */
    void close(Runnable servletsGone);
}
