package io.carillon.servlet.feature.http;

import io.carillon.servlet.app.DeploymentException;

/** Whoever serves HTTP in this process. Called by the deploying thread. */
@FunctionalInterface
public interface WebSide {
    /**
     * Makes the web context of an application that has an HTTP part. Nothing of the application
     * runs before {@link WebContext#start}.
     *
     * @throws DeploymentException when its path is taken, or its descriptor is broken
     */
    WebContext open(WebPart application) throws DeploymentException;
}
