package io.carillon.server.apps;

import io.carillon.servlet.app.DeploymentException;
import java.nio.file.Path;
import java.util.List;

/** Deploys into a running server. Any thread. */
public interface Deployer {
    /**
     * Deploys an archive, or puts it in the place of an older version of the same archive: new
     * calls are its own from then on, running calls end on the old one. It is the same archive when
     * the file names agree but for a version at their end.
     *
     * @throws DeploymentException naming file, element and rule, also where another archive has the
     *     application's name; an old version stays in service
     */
    ApplicationStatus deploy(Path archive) throws DeploymentException;

    /** The same, whatever archive the version that has the name came from. */
    ApplicationStatus replace(Path archive) throws DeploymentException;

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
