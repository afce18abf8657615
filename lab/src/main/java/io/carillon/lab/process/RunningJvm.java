package io.carillon.lab.process;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * What the JVM of another process of this user says of its threads, by the attach interface:
 * nothing has to be switched on in it. Owner: one thread.
 */
public final class RunningJvm implements AutoCloseable {
    private final JMXConnector connector;
    private final ThreadMXBean threads;

    private RunningJvm(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.threads =
                ManagementFactory.newPlatformMXBeanProxy(
                        connector.getMBeanServerConnection(),
                        ManagementFactory.THREAD_MXBEAN_NAME,
                        ThreadMXBean.class);
    }

    /** Connects to a process that this one has started. */
    @SuppressWarnings("BanJNDI") // the address is what that process has just told, and not a name
    public static RunningJvm attach(long pid) throws IOException {
        String address;
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                address = machine.startLocalManagementAgent();
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException("the JVM of process " + pid + " cannot be asked", e);
        }
        return new RunningJvm(JMXConnectorFactory.connect(new JMXServiceURL(address)));
    }

    /** Bytes that all its Java threads have allocated, those that have ended included. */
    public long allocatedBytes() {
        return threads.getTotalThreadAllocatedBytes();
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
