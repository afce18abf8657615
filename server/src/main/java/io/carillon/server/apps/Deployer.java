package io.carillon.server.apps;

import io.carillon.servlet.app.DeploymentException;
import java.nio.file.Path;
import java.util.List;

/** Deploys into a running server. Any thread. */
public interface Deployer {
    /**
     * Deploys an archive, or puts it in the place of the version that has its name: new calls are
     * its own from then on, running calls end on the old one.
     *
     * @throws DeploymentException naming file, element and rule; an old version stays in service
     */
    ApplicationStatus deploy(Path archive) throws DeploymentException;

    /**
     * Takes an application out of service. Its calls may end, or get BYE.
     *
     * @param now end the calls
     * @return false when there is none of that name
     */
    boolean undeploy(String name, boolean now);

    /** All versions: those in service in the order of deployment, then those retiring. */
    List<ApplicationStatus> versions();
}
