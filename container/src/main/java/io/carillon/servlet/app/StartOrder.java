package io.carillon.servlet.app;

/** What the SIP half of an application does within the start of its HTTP half. */
public interface StartOrder {
    /** Listeners of both kinds exist; those of web.xml are told next. */
    void tellListeners() throws DeploymentException;

    /** All listeners were told; filters and HTTP servlets follow. */
    void startServlets() throws DeploymentException;
}
